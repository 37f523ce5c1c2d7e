"""The inner loops of search in compiled code: the same moves, drawn from the same random stream, as in `specification`.

A module here has the name of the one that specifies it; the others are what these are made of. The declarations of each
are in its `.pxd` file. Nothing here touches Python objects while it searches, so threads run side by side; from time to
time `is_over` is asked whether to stop.

==================  ================================================================================================
``loops``           the loops in which most time is spent, in C, for several sets of instructions (``loops.h``)
``arena``           memory that is freed when nobody needs it any more, and the numbers in arrays
``heat_bath``       random choices
``packed_table``    the examples, as :mod:`idnf.learning.local.masks` packs them, and weights over them
``staircase``       prefix vectors, what each covers of the observed points, and the best set of them
``matrix_search``   moves over a nested DNF
``tree_search``     moves over trees of nested DNFs: ``anneal``
``cubes``           terms as the cells that they exclude, and the implicants of what no term covers
``berge_states``    labelled terms, with the examples and the implicants that belong to them
``berge_problem``   what is searched by Berge steps
``hitting_sets``    terms that conflict with others
``new_terms``       terms around an example
``repairing``       Berge steps: ``repair``
``split_worths``    splits and short trees
``voting``          votes of random trees
==================  ================================================================================================
"""
