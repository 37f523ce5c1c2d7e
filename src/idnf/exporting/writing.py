"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

Target = str | os.PathLike[str]


def write_whole(path: Target, content: str | bytes) -> None:
    """Write a file so that a failed or interrupted write leaves an older one as it was.

    The content goes to a temporary file in the same folder, which then takes the name in one step. A link is followed,
    and the permissions of an older file are kept.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/model.json", "{}")
    ...     print(open(f"{folder}/model.json").read())
    {}
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(f"path must be a file; got the folder {os.fspath(path)}.")
    data = content.encode() if isinstance(content, str) else content
    try:
        _replace(target, data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise type(error)(
            error.errno, f"{os.fspath(path)} cannot be written ({reason}); nothing there was changed"
        ) from error


def _replace(target: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:64]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    """Return the process's mask of permissions, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
