"""The paper's objects and theorems, in pure Python."""
