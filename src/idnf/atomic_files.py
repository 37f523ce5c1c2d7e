"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO

Target = str | os.PathLike[str]

# What is not yet whole is called by this, the machine and the process that writes it.
_UNFINISHED = ".idnf."


def write_atomically(path: Target, content: str | bytes) -> None:
    """Write a file so that a failed or interrupted write leaves an older one as it was.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_atomically(f"{folder}/model.json", "{}")
    ...     print(open(f"{folder}/model.json").read())
    {}
    """
    with whole_file(path) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def whole_file(path: Target) -> Iterator[BinaryIO]:
    """Open a file for writing that takes its name only when all of it is written.

    The content goes to a temporary file in the same folder, which then takes the name in one step. A link is followed,
    the permissions of an older file are kept, and what is not a file (a pipe, a device) is written to as it is. Any
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
def parts_folder(beside: Path) -> Iterator[str]:
    """Give a folder for the parts of a file, removed at the end."""
    remove_unfinished(beside)
    with tempfile.TemporaryDirectory(prefix=_own_prefix(), dir=beside) as folder:
        yield folder


def remove_unfinished(folder: Path) -> None:
    """Remove what processes of this machine that were killed have left in a folder: drafts, and folders of parts."""
    machine = f"{_UNFINISHED}{_machine()}."
    try:
        names = [name for name in os.listdir(folder) if name.startswith(machine)]
    except PermissionError:  # one may write to a folder that one may not look into
        return
    for name in names:
        owner = name.removeprefix(machine).partition(".")[0]
        if owner.isdecimal() and not is_running(int(owner)):
            _remove(folder / name)


def is_running(process: int) -> bool:
    """Return whether a process of this machine is running; if that cannot be known, assume that it is.

    >>> is_running(os.getpid())
    True
    """
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _remove(left: Path) -> None:
    if left.is_dir() and not left.is_symlink():
        shutil.rmtree(left, ignore_errors=True)
    else:
        with suppress(FileNotFoundError, PermissionError):
            left.unlink()


def _machine() -> str:
    return platform.node().replace(os.sep, "-") or "unknown"


def _own_prefix() -> str:
    return f"{_UNFINISHED}{_machine()}.{os.getpid()}."


@contextmanager
def _draft(target: Path) -> Iterator[BinaryIO]:
    remove_unfinished(target.parent)
    handle, draft = _nameless(target) or tempfile.mkstemp(prefix=_own_prefix(), dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            os.chmod(draft or stream.fileno(), target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
            draft = draft or _link_beside(stream.fileno(), target)
        os.replace(draft, target)
    except BaseException:
        if draft:
            with suppress(FileNotFoundError):
                os.unlink(draft)
        raise


def _nameless(target: Path) -> tuple[int, str] | None:
    """Open a file without a name in the target's folder, of which nothing stays if this process is killed."""
    if not hasattr(os, "O_TMPFILE") or not Path("/proc/self/fd").is_dir():
        return None
    try:
        return os.open(target.parent, os.O_TMPFILE | os.O_WRONLY, 0o600), ""
    except OSError as error:
        # Some file systems have no such files, and say so in one of these ways.
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL):
            return None
        raise


def _link_beside(handle: int, target: Path) -> str:
    """Give a file without a name one beside the target, whose place it then takes in one step."""
    for attempt in count():
        draft = target.parent / f"{_own_prefix()}{attempt}"
        with suppress(FileExistsError):
            # Naming a folder, whatever it is, makes Python ask the system to follow the link.
            os.link(f"/proc/self/fd/{handle}", draft, src_dir_fd=handle, follow_symlinks=True)
            return os.fspath(draft)
    raise AssertionError("some name is free")


def _umask() -> int:
    """Return the process's mask of permissions, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
