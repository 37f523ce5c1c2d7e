"""The command line: ``idnf --help`` is the tour."""

from __future__ import annotations

import argparse
import errno
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from io import UnsupportedOperation
from typing import NoReturn

from idnf import __version__
from idnf.commands.parsers import add_commands, did_you_mean, help_formatter
from idnf.engines.addresses import shown_addresses, without_address

_TOUR = """\
from a table to a model on an auditor's desk:
  idnf fit loans.csv --target approved --k 3 -o model.json
  idnf explain model.json loans.csv
  idnf report model.json loans.csv --target approved -o report.html

exit codes: 0 done; 1 the answer is no (verify, recourse, diff, check, audit); 2 bad input;
3 not done for want of memory, disk or an open stream, or as an engine broke down; 130 interrupted
"""


# Signs of a message: what a stranger's file holds is not repeated whole.
_MOST_SAID = 4_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _open_streams()
    try:
        with _told_to_stop():
            options = _parsed(words or ["--help"])
            code = _run(options)
            sys.stdout.flush()
    except (KeyboardInterrupt, _Stopped):
        return _failed("interrupted; no file was changed.", 130)
    except BrokenPipeError:
        _silence_output()
        return 0
    except OSError as error:
        known = error.filename is not None and error.strerror
        said = f"{error.filename}: {error.strerror}" if known else error.strerror or str(error)
        closed = isinstance(error, UnsupportedOperation)
        message = "standard output is closed; the result cannot be shown." if closed else said
        return _failed(_without_secrets(message, words), 3 if closed or error.errno in _FULL else 2)
    except (ValueError, TypeError, ArithmeticError, ImportError) as error:
        extra = _EXTRAS.get(str(error.name).partition(".")[0]) if isinstance(error, ImportError) else None
        advice = "" if extra is None else f": pip install 'idnf[{extra}]'"
        return _failed(_without_secrets(f"{_as_typed(str(error), words)}{advice}", words), 2)
    except BaseException as error:
        if isinstance(error, (SystemExit, GeneratorExit)):
            raise
        return _failed(*_breakdown(error, words))
    return code


# What a disk or a stream is out of, or a process, when it cannot be written to.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


def _breakdown(error: BaseException, words: Sequence[str]) -> tuple[str, int]:
    """Return what to say about an error that no input should cause, panics of engines among them, and the exit code."""
    from idnf.engines.queries import QueryError

    chain = [error, *filter(None, [error.__cause__, error.__context__])]
    if any(isinstance(one, MemoryError) or "OutOfMemory" in type(one).__name__ for one in chain):
        return "out of memory; nothing was decided. --engine duckdb leaves a large table where it is.", 3
    said = _without_secrets(str(error), words)
    if isinstance(error, QueryError):
        return said, 2
    return (
        f"broke down ({type(error).__name__}: {said.splitlines()[0] if said else 'no message'}); nothing was decided.",
        3,
    )


def _open_streams() -> None:
    """Put something in the place of standard streams that are closed: what cannot be read by anyone is left out."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open as long as the process is
    if sys.stdout is None:  # opened for reading: a result that nobody would get is an error
        sys.stdout = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _run(options: argparse.Namespace) -> int:
    """Import what a command needs, and run it."""
    from idnf.commands.output import Console

    module, _, function = options.run.partition(".")
    run = getattr(import_module(f"idnf.commands.{module}"), function)
    return int(run(options, Console(quiet=options.quiet)))


# Packages that commands may need, and the extras that bring them.
_EXTRAS = {
    **{name: name for name in ("pandas", "duckdb", "ibis", "onnx")},
    **{"polars": "cli", "pyspark": "spark", "fastexcel": "excel", "pysat": "sat"},
    **{"xlsxwriter": "xlsx", "docx": "letters"},
}

# Options whose values are written name=value, as connection strings are too.
_PAIRS = ("--as", "--monotone", "--class-weight", "--cost", "--field")


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line with the remedy, and show no secret of a mistyped address."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command."""
        said = shown_addresses(_without_secrets(_plain_error(message), message.split()))
        self.exit(2, f"{self.prog}: {said} {self.prog} --help lists what there is.\n")


def _plain_error(message: str) -> str:
    """Return a message of the parser as our own are.

    >>> _plain_error("argument --to: invalid choice: 'sq' (choose from 'sql', 'onnx')")
    '--to must be one of sql, onnx; got sq. Did you mean sql?'
    >>> _plain_error("the following arguments are required: --target")
    '--target must be given.'
    """
    choice = re.fullmatch(r"argument (\S+): invalid choice: '(.*)' \(choose from (.*)\)", message)
    if choice is not None:
        choices = [one.strip(" '") for one in choice[3].split(",")]
        return f"{choice[1]} must be one of {', '.join(choices)}; got {choice[2]}.{did_you_mean(choice[2], choices)}"
    lacking = message.removeprefix("the following arguments are required: ")
    if lacking != message:
        return f"{lacking} must be given."
    return re.sub(r"^argument (\S+): ", r"\1 ", message) + ("" if message.endswith("?") else ".")


def _refuse_unknown_option(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Refuse a command with an option that it does not have; name the nearest one."""
    for word in words[: words.index("--") if "--" in words else None]:
        name, known = word.partition("=")[0], [one for one in parser._option_string_actions if one.startswith("--")]
        if name.startswith("--") and not any(one.startswith(name) for one in known):
            parser.error(f"{name} is not an option of {parser.prog}.{did_you_mean(name, known)}".rstrip("."))


# Parameters of Python whose options have other names.
_TYPED = {"monotonic_cst": "--monotone", "n_jobs": "--jobs", "random_state": "--seed"}


def _as_typed(message: str, words: Sequence[str]) -> str:
    """Return a message about a parameter as one about the option that was typed.

    >>> _as_typed("names must be 3; got 2.", ["bands", "--names", "a,b"]), _as_typed("k must be 1.", ["fit"])
    ('--names must be 3; got 2.', 'k must be 1.')
    """
    found = re.match(r"\w+(?= must |\[)", message)
    option = "" if found is None else _TYPED.get(found[0], f"--{found[0].replace('_', '-')}")
    typed = found is not None and any(word.partition("=")[0] == option for word in words)
    return f"{option}{message[found.end() :]}" if found is not None and typed else message


def _without_secrets(message: str, words: Sequence[str]) -> str:
    """Return a message that shows of every address among the words of a command only what may be shown."""
    for option, word in zip(["", *words], words):
        if option not in _PAIRS:
            message = without_address(message, word)
    return message


class _Stopped(BaseException):
    """The user or the system wants a command to end.

    It is no KeyboardInterrupt, which a learner takes as the wish for the best model so far: a command that is stopped
    writes nothing.
    """


@contextmanager
def _told_to_stop() -> Iterator[None]:
    """Let an interrupt (SIGINT) and the signal to end (SIGTERM) stop a command in the same way."""
    stopped = False

    def stop(_signal: int, _frame: object) -> NoReturn:
        nonlocal stopped
        stopped = True
        raise _Stopped

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except BaseException as error:
        if stopped:  # an engine tells of an interrupt by an error of its own
            raise _Stopped from error
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    parser = build_parser()
    (commands,) = (one.choices for one in parser._actions if isinstance(one.choices, dict))
    command = next((word for word in words if not word.startswith("-")), None)
    if command in commands:
        _refuse_unknown_option(commands[command], words[words.index(command) + 1 :])
    return parser.parse_args(words)


@cache
def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser: argparse.ArgumentParser = _Parser(
        prog="idnf",
        description="Classifiers whose every decision is explained by at most k conditions, with proof.",
        epilog=_TOUR,
        formatter_class=help_formatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"idnf {__version__}")
    parser.add_argument("-q", "--quiet", action="store_true", help="leave out remarks and progress")
    add_commands(parser.add_subparsers(required=True, metavar="command", title="commands"))
    return parser


def _failed(message: str, code: int) -> int:
    from idnf.columns.phrases import one_line

    _silence_output()
    with suppress(OSError):
        shown = message if len(message) <= _MOST_SAID else f"{message[:_MOST_SAID]} ..."
        sys.stderr.write(one_line(f"idnf: {shown}\n", kept="\n\t"))
    return code


def _silence_output() -> None:
    """Drop what is still to be written, if it cannot be; the interpreter would try again when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
