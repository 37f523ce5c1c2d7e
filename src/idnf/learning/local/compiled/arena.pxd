"""Memory for a search."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t


cdef class Arena:
    """Memory that is freed, all of it, when nobody holds the arena any more; arrays that were lent live as long."""

    cdef void **blocks
    cdef int64_t count
    cdef list lent

    # Room for some things of a size and one to spare: filled with 0, or not.
    cdef void *take(self, int64_t count, int64_t size) except NULL
    cdef void *room(self, int64_t count, int64_t size) except NULL
    cdef void *_keep(self, void *block) except NULL

    # Room for numbers, all 0, and one to spare.
    cdef int32_t *ints(self, int64_t count) except NULL
    cdef int64_t *longs(self, int64_t count) except NULL
    cdef uint64_t *words(self, int64_t count) except NULL

    # The numbers in an array of that type, which is lent to the arena; NULL if there are none.
    cdef const int8_t *int8s_of(self, object array) except? NULL
    cdef const int32_t *int32s_of(self, object array) except? NULL
    cdef const int64_t *int64s_of(self, object array) except? NULL
    cdef const uint64_t *uint64s_of(self, object array) except? NULL
