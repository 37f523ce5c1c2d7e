"""A cache of small public files, filled by download and checked by their SHA-256 sums."""

from __future__ import annotations

import hashlib
import http.client
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

# Called with the number of bytes received and the number expected (None where the server does not say).
Progress = Callable[[int, int | None], None]

_CHUNK = 1 << 16
_SECONDS = 30.0


def cache_folder() -> Path:
    """Return the folder this user's downloads are kept in, by the platform's custom."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "idnf"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "idnf"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "idnf"


def is_intact(content: bytes, sha256: str) -> bool:
    """Tell whether content has the given SHA-256 sum.

    >>> is_intact(b"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    True
    """
    return hashlib.sha256(content).hexdigest() == sha256


def download(url: str, *, progress: Progress | None = None) -> bytes:
    """Return what a URL holds; an OSError says why it cannot be had."""
    received = bytearray()
    try:
        with urllib.request.urlopen(url, timeout=_SECONDS) as response:
            length = response.headers.get("Content-Length")
            expected = int(length) if length else None
            while chunk := response.read(_CHUNK):
                received += chunk
                if progress is not None:
                    progress(len(received), expected)
    except (OSError, http.client.HTTPException) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise OSError(f"cannot download {url}: {reason}.") from error
    if expected is not None and len(received) != expected:
        raise OSError(f"cannot download {url}: {len(received)} bytes of {expected} came.")
    return bytes(received)
