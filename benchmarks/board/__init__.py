"""The scoreboard's own parts: data, environments of peers, sizes of reasons, tables and picture."""
