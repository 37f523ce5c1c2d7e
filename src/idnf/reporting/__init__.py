"""Models and explanations as pages and pictures."""
