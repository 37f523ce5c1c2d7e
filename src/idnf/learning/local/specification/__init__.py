"""The inner loops of search in numpy: what the compiled kernels must return, for the same seed bit for bit.

Each module here is one file of the compiled kernels:

=================  ================
``heat_bath``      ``bath.pxi``
``matrix_search``  ``matrices.pxi``
``staircase``      ``matrices.pxi``
``tree_search``    ``trees.pxi``
``repairing``      ``berge.pxi``
``split_worths``   ``_splits.pyx``
``voting``         ``_votes.pyx``
=================  ================

``table.pxi`` and ``cubes.pxi`` are :mod:`idnf.learning.local.masks`, which both use. What goes in and comes out of a
kernel is in :mod:`idnf.learning.local`; which implementation runs is chosen in :mod:`idnf.learning.local.kernels`.
"""
