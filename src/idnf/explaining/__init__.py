"""Explanations of single decisions and of whole models, over columns of finitely many cells."""
