"""The inner loops of search in numpy: what the compiled ones compute, move by move, from the same random numbers."""
