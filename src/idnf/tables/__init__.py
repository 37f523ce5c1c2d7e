"""Raw columns and the Boolean features made of them."""
