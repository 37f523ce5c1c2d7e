# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Memory for a search: pointers that stay valid as long as the arena."""

from libc.stdlib cimport calloc, free, malloc, realloc


cdef class Arena:
    def __cinit__(self):
        self.lent = []

    cdef void *take(self, int64_t count, int64_t size) except NULL:
        return self._keep(calloc(count + 1, size))

    cdef void *room(self, int64_t count, int64_t size) except NULL:
        return self._keep(malloc((count + 1) * size))

    cdef void *_keep(self, void *block) except NULL:
        cdef void **more
        if self.count & (self.count - 1) == 0:
            more = <void **> realloc(self.blocks, 2 * (self.count + 1) * sizeof(void *))
            if more == NULL:
                free(block)
                raise MemoryError
            self.blocks = more
        if block == NULL:
            raise MemoryError
        self.blocks[self.count] = block
        self.count += 1
        return block

    cdef int32_t *ints(self, int64_t count) except NULL:
        return <int32_t *> self.take(count, sizeof(int32_t))

    cdef int64_t *longs(self, int64_t count) except NULL:
        return <int64_t *> self.take(count, sizeof(int64_t))

    cdef uint64_t *words(self, int64_t count) except NULL:
        return <uint64_t *> self.take(count, sizeof(uint64_t))

    cdef const int8_t *int8s_of(self, object array) except? NULL:
        flat = array.reshape(-1)
        cdef const int8_t[::1] numbers = flat
        self.lent.append(flat)
        return &numbers[0] if numbers.shape[0] else NULL

    cdef const int32_t *int32s_of(self, object array) except? NULL:
        flat = array.reshape(-1)
        cdef const int32_t[::1] numbers = flat
        self.lent.append(flat)
        return &numbers[0] if numbers.shape[0] else NULL

    cdef const int64_t *int64s_of(self, object array) except? NULL:
        flat = array.reshape(-1)
        cdef const int64_t[::1] numbers = flat
        self.lent.append(flat)
        return &numbers[0] if numbers.shape[0] else NULL

    cdef const uint64_t *uint64s_of(self, object array) except? NULL:
        flat = array.reshape(-1)
        cdef const uint64_t[::1] numbers = flat
        self.lent.append(flat)
        return &numbers[0] if numbers.shape[0] else NULL

    def __dealloc__(self):
        cdef int64_t n
        for n in range(self.count):
            free(self.blocks[n])
        free(self.blocks)
