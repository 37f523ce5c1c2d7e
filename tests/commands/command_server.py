"""`idnf` as a command that costs no imports: a process that has them forks one for each call.

A call is a process with the caller's streams, folder and environment, as always; only what `idnf` imports is there when
it begins. The fixture `command` gives a folder to put in front of PATH.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from select import select

import pytest

# None of these starts a thread when it is imported, which a fork would lose.
IMPORTED = ("pandas", "polars", "sklearn.ensemble", "sklearn.model_selection", "sklearn.tree", "idnf.classifier.bands")

_CLIENT = """#!{python} -IS
import os, socket, sys
with socket.socket(socket.AF_UNIX) as call:
    call.connect({address!r})
    words = [os.getcwd(), str(len(sys.argv) - 1), *sys.argv[1:], *(f"{{k}}={{v}}" for k, v in os.environ.items())]
    socket.send_fds(call, ["\\0".join(words).encode()], [0, 1, 2])
    code = call.recv(1)
    sys.exit(code[0] if code else 137)
"""


def serve(address: str) -> None:
    """Answer calls until standard input ends."""
    for name in IMPORTED:
        import_module(name)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()
        while select([server, sys.stdin], [], [])[0] == [server]:  # standard input ends with whoever asked for this
            call, _ = server.accept()
            said, streams, _, _ = socket.recv_fds(call, 1 << 20, 3)
            child = os.fork()
            if not child:
                answer(call, said.decode().split("\0"), streams)
            for stream in (*streams, call.fileno()):
                os.close(stream)
            call.detach()
            os.waitpid(child, 0)


def answer(call: socket.socket, said: list[str], streams: list[int]) -> None:
    """Run one command in this process and say how it ended."""
    code = 1
    try:
        for place, stream in enumerate(streams):
            os.dup2(stream, place)
        folder, count, *rest = said
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(pair.split("=", 1) for pair in rest[int(count) :])
        code = import_module("idnf.cli").main(rest[: int(count)])
    except SystemExit as ended:
        code = int(ended.code or 0)
    finally:
        with suppress(OSError):
            sys.stdout.flush()
        call.send(bytes([code]))
        os._exit(code)


@pytest.fixture(scope="session")
def command(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Start the process that forks commands, and return a folder in which `idnf` asks it."""
    folder = tmp_path_factory.mktemp("command")
    address = str(folder / "calls")
    (folder / "idnf").write_text(_CLIENT.format(python=sys.executable, address=address), "utf-8")
    (folder / "idnf").chmod(0o755)
    with subprocess.Popen([sys.executable, __file__, address], stdin=subprocess.PIPE) as process:
        while not Path(address).exists():
            assert process.poll() is None
            time.sleep(0.05)
        yield folder
        process.communicate()


if __name__ == "__main__":
    serve(sys.argv[1])
