"""Models as files and as programs in other languages."""
