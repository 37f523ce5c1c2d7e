"""Answers to: how many examples of each class satisfy this."""
