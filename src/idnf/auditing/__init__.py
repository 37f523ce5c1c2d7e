"""What auditors ask of a model: exact answers over the boxes of its classes, any number of classes."""
