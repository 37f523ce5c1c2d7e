"""What a cell of a user's column means: one module for each kind of column, and its words."""
