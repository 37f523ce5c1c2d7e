"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

Target = str | os.PathLike[str]


def write_whole(path: Target, content: str | bytes) -> None:
    """Write a file so that a failed or interrupted write leaves an older one as it was.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/model.json", "{}")
    ...     print(open(f"{folder}/model.json").read())
    {}
    """
    with whole_file(path) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def whole_file(path: Target) -> Iterator[BinaryIO]:
    """Open a file for writing that takes its name only when all of it is written.

    The content goes to a temporary file in the same folder, which then takes the name in one step. A link is followed,
    the permissions of an older file are kept, and what is no file (a pipe, a device) is written to as it is. Any
    OSError meanwhile is taken as a failure to write.
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(f"path must be a file; got the folder {os.fspath(path)}.")
    with _named_errors(path):
        if target.exists() and not target.is_file():
            with open(target, "wb") as stream:
                yield stream
            return
        with _draft(target) as stream:
            yield stream


@contextmanager
def _named_errors(path: Target) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # whoever read it has had enough
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"{os.fspath(path)} cannot be written ({reason}); nothing there was changed"
        raise type(error)(error.errno, message) from error


@contextmanager
def _draft(target: Path) -> Iterator[BinaryIO]:
    handle, draft = tempfile.mkstemp(prefix=f".{target.name[:64]}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(draft, target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
        os.replace(draft, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        raise


def _umask() -> int:
    """Return the process's mask of permissions, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
