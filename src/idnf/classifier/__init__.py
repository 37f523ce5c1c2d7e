"""DNFClassifier: the scikit-learn front, the questions it answers, and training where the data are."""
