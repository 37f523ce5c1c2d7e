"""The inner loops of search in numpy: what the compiled kernels must return, for the same seed bit for bit.

Each module here has a compiled one of the same name in :mod:`idnf.learning.local.compiled`; the examples and the cells
of columns are in :mod:`idnf.learning.local.masks`, which both use. What goes in and comes out of a kernel is in
:mod:`idnf.learning.local`; which implementation runs is chosen in :mod:`idnf.learning.local.kernels`.
"""
