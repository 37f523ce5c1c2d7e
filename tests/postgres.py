"""A PostgreSQL server for the tests: its own data folder, a private socket, no port."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_NEEDED = "this test needs a PostgreSQL server: apt-get install postgresql (or put initdb and pg_ctl on PATH)"


def _programs() -> Path:
    """Return the folder of initdb and pg_ctl; Debian keeps them out of PATH, newest version last."""
    on_path = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if on_path is None and not found:
        pytest.fail(_NEEDED)
    return Path(on_path).parent if on_path else found[-1].parent


def _run(user: str | None, *command: str | Path) -> None:
    """Run a program of PostgreSQL, which refuses to run as root."""
    done = subprocess.run(command, user=user, cwd="/", capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.fail(f"{command[0]} failed: {done.stderr or done.stdout}")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Start a server for this session and return the URL of an empty database."""
    programs = _programs()
    user = "postgres" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="idnf-pg-"))
    if user is not None:
        shutil.chown(folder, user)
    data = folder / "data"
    try:
        _run(user, programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
        settings = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
        _run(user, programs / "pg_ctl", "-D", data, "-l", folder / "log", "-o", settings, "-w", "start")
        try:
            yield f"postgresql://postgres@/postgres?host={folder}"
        finally:
            _run(user, programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
