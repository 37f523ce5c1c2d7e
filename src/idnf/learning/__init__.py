"""Learners: pure functions of counts."""
