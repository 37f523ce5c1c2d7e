# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The loops that this processor runs fastest."""

cdef extern from "loop_variants.h" nogil:
    const Loops *loops_at "idnf_loops_at"(int number)

loops = loops_at(0)


def choose_loops(int number):
    """Use other loops that this processor can run, by number, the quickest is 0; return whether there are that many.

    All of them give the same results; tests try each.
    """
    global loops
    if loops_at(number) == NULL:
        return False
    loops = loops_at(number)
    return True
