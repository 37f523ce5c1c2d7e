"""What is claimed of a model, and how that is checked."""
