"""A package, so that one of that name which some distribution installs is not found in its place."""
