"""What is searched by Berge steps."""

from libc.stdint cimport int32_t, int64_t

from idnf.learning.local.compiled.arena cimport Arena
from idnf.learning.local.compiled.cubes cimport Cube, Space


# What each label gains over the default at each example, a line for each label.
cdef struct LabelGains:
    int64_t n_labels
    int64_t otherwise       # the default label
    int64_t stride
    int32_t *weights
    int32_t *cautious       # losses weigh more
    int32_t *positive       # losses do not count


# Terms whose points must have a label.
cdef struct Forced:
    int64_t count
    Cube *cubes
    int32_t *labels


cdef struct BergeProblem:
    Space space
    LabelGains gains
    Forced forced
    int64_t k
    int64_t width           # literals that a new term may have
    bint takes_whole        # whether new terms may take tight implicants whole
    int64_t price           # of a literal
    const int32_t *allowed
    int64_t n_allowed


cdef int open_problem(BergeProblem *problem, Arena arena, object task) except -1
