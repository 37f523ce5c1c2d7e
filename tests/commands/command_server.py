"""`idnf` and programs of Python as commands that cost no imports: a process that has them forks one for each call.

A call is a process with the caller's streams, folder and environment, as always; only what `idnf` imports is there when
it begins. The fixture `command` gives a folder to put in front of PATH, and `ended` runs programs.
"""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
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
    words = [os.getcwd(), str(len(sys.argv)), *sys.argv, *(f"{{k}}={{v}}" for k, v in os.environ.items())]
    socket.send_fds(call, ["\\0".join(words).encode()], [0, 1, 2])
    sys.exit(call.recv(1)[0])
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
                answer(said.decode().split("\0"), streams)
            for stream in streams:
                os.close(stream)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            with call, suppress(OSError):  # whoever called may have gone
                call.send(bytes([code if code >= 0 else 128 - code]))


def answer(said: list[str], streams: list[int]) -> None:
    """Run one command in this process, which ends with it."""
    code = 1
    try:
        for place, stream in enumerate(streams):
            os.dup2(stream, place)
        folder, count, *rest = said
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(pair.split("=", 1) for pair in rest[int(count) :])
        code = run(Path(rest[0]).name, rest[1 : int(count)])
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except OSError:  # Python says so too
            code = code or 120
        os._exit(code)


def run(name: str, words: list[str]) -> int:
    """Do what a command does and return how it ends."""
    if name == "idnf":
        return import_module("idnf.cli").main(words)
    seconds, program, *sys.argv[1:] = words
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    exec(program, {"__name__": "__main__"})
    return 0


Ended = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def ended(command: Path) -> Ended:
    """Return a function that runs a program of Python with words, for so many seconds of the processor at most.

    A program that was killed returns 137, as a shell says it.
    """

    def run_it(program: str, *words: str, seconds: int = 20) -> subprocess.CompletedProcess[str]:
        line = [command / "program", str(seconds), program, *words]
        return subprocess.run(line, check=False, capture_output=True, text=True)

    return run_it


@pytest.fixture(scope="session")
def command(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Start the process that forks commands, and return a folder in which `idnf` asks it."""
    folder = tmp_path_factory.mktemp("command")
    address = str(folder / "calls")
    for name in ("idnf", "program"):
        (folder / name).write_text(_CLIENT.format(python=sys.executable, address=address), "utf-8")
        (folder / name).chmod(0o755)
    with subprocess.Popen([sys.executable, __file__, address], stdin=subprocess.PIPE) as process:
        while not Path(address).exists():
            assert process.poll() is None
            time.sleep(0.05)
        yield folder
        process.communicate()


if __name__ == "__main__":
    serve(sys.argv[1])
