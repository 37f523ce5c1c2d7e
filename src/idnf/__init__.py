"""Classifiers whose every decision is explained by at most k conditions, with proof."""
