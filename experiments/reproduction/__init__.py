"""The paper's experiments run again: its three tables with its printed figures beside ours."""
