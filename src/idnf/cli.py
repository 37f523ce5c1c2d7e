"""The command line: ``idnf --help`` is the tour."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import UnsupportedOperation
from itertools import groupby
from typing import NoReturn

from idnf import __version__
from idnf.commands.arguments import CommandParser, did_you_mean, without_secrets
from idnf.commands.registry import COMMANDS, Command, imported
from idnf.logic.errors import InvalidArgument

_TOUR = """\
from a table to a model on an auditor's desk:
  idnf datasets --load loans -o loans.csv
  idnf fit loans.csv --target decision --k 3 -o model.json
  idnf explain model.json loans.csv
  idnf report model.json loans.csv -o report.html

exit codes: 0 done; 1 the answer is no (verify, recourse, diff, check, audit); 2 bad input;
3 failed: out of memory or disk, a closed stream, or an engine that broke down; 130 interrupted
"""


# Signs of a message: what a stranger's file holds is not repeated whole.
_MOST_SAID = 4_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _open_streams()
    try:
        with _told_to_stop():
            command, options = parse(words or ["--help"])
            code = _run(command, options, is_program=arguments is None)
            sys.stdout.flush()
    except (KeyboardInterrupt, _Stopped):
        return _fail("interrupted; no file was changed.", 130)
    except BrokenPipeError:
        _silence_output()
        return 0
    except OSError as error:
        known = error.filename is not None and error.strerror
        said = f"{error.filename}: {error.strerror}" if known else error.strerror or str(error)
        closed = isinstance(error, UnsupportedOperation)
        message = "standard output is closed; the result cannot be shown." if closed else said
        return _fail(without_secrets(message, words), 3 if closed or error.errno in _FULL else 2)
    except (ValueError, TypeError, ArithmeticError, ImportError) as error:
        extra = _EXTRAS.get(str(error.name).partition(".")[0]) if isinstance(error, ImportError) else None
        advice = "" if extra is None else f": pip install 'idnf[{extra}]'"
        return _fail(without_secrets(f"{_sentence(error, words)}{advice}", words), 2)
    except BaseException as error:
        if isinstance(error, (SystemExit, GeneratorExit)):
            raise
        return _fail(*_breakdown(error, words))
    return code


# What a disk or a stream is out of, or a process, when it cannot be written to.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


def _breakdown(error: BaseException, words: Sequence[str]) -> tuple[str, int]:
    """Return what to say about an error that no input should cause, panics of engines among them, and the exit code."""
    from idnf.engines.queries import QueryError

    chain = [error, *filter(None, [error.__cause__, error.__context__])]
    if any(isinstance(one, MemoryError) or "OutOfMemory" in type(one).__name__ for one in chain):
        return "out of memory; nothing was decided. --engine duckdb leaves a large table where it is.", 3
    said = without_secrets(str(error), words)
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


def _run(command: Command, options: argparse.Namespace, *, is_program: bool) -> int:
    """Import what a command needs, and run it."""
    from idnf.tables.estimator_bases import use_plain_estimators

    if command.reads_only and is_program:
        use_plain_estimators()
    from idnf.commands.output import Console, refuse_overwriting

    refuse_overwriting(options)
    return int(imported(command.run)(options, Console(quiet=options.quiet, verbose=options.verbose)))


# Packages that commands may need, and the extras that bring them.
_EXTRAS = {
    **{name: name for name in ("pandas", "duckdb", "ibis", "onnx")},
    **{"polars": "cli", "pyspark": "spark", "fastexcel": "excel", "pysat": "sat"},
    **{"xlsxwriter": "governance", "docx": "governance"},
}


# Parameters of Python whose options have other names.
_OPTIONS = {
    **{"monotonic_cst": "--monotone", "n_jobs": "--jobs", "random_state": "--seed", "costs": "--cost"},
    **{"limit": "--fair-limit", "outcomes": "--outcome", "fields": "--field", "probability": "--proba"},
}


def _sentence(error: Exception, words: Sequence[str]) -> str:
    """Return the message of an error, about the option that was typed if it is about a parameter of Python."""
    if not isinstance(error, InvalidArgument):
        return str(error)
    from idnf.commands.decision_remarks import report_remarks
    from idnf.tables.column_check import ColumnsReport

    remedy, name = None, error.name
    if isinstance(error.remedy, ColumnsReport):
        # The table has no column to learn from: what became of each, and what to do with text.
        texts = any(one.topic == "identifier" and "names or comments" in one.text for one in error.remedy)
        hint = ["Free text is not read: add columns made of it, such as its length or whether it has a word."]
        remedy, name = "\n".join([*report_remarks(error.remedy), *hint * texts]), "the table"
    name, bracket, key = name.partition("[")
    option = _OPTIONS.get(name, f"--{name.replace('_', '-')}")
    typed = any(word.partition("=")[0] == option for word in words)
    return error.sentence(f"{option}{bracket}{key}" if typed else f"{name}{bracket}{key}", remedy)


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
        if stopped:  # an engine reports an interrupt by an error of its own
            raise _Stopped from error
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def parse(words: Sequence[str]) -> tuple[Command, argparse.Namespace]:
    """Return the command that words name, and its arguments."""
    place = next((i for i, word in enumerate(words) if not word.startswith("-")), len(words))
    main_parser = _main_parser()
    given = main_parser.parse(words[:place])
    if place == len(words):
        main_parser.error("a command must be given")
    names = [command.name for command in COMMANDS]
    name = words[place]
    if name not in names:
        main_parser.error(f"command must be one of {', '.join(names)}; got {name}.{did_you_mean(name, names)}")
    command = COMMANDS[names.index(name)]
    return command, command_parser(command).parse(words[place + 1 :], given)


def _main_parser() -> CommandParser:
    """Return the parser of what comes before the name of a command."""
    about = "Classifiers whose every decision is explained by at most k conditions, with proof."
    listed = "\n\n".join(
        "\n".join([f"{group}:", *(f"  {command.name:<14}{command.help}" for command in commands)])
        for group, commands in groupby(COMMANDS, lambda command: command.group)
    )
    parser = CommandParser("idnf", "idnf command ... [options]", f"{about}\n\n{listed}", _TOUR)
    parser.add_argument("-V", "--version", action="version", version=f"idnf {__version__}")
    parser.add_argument("-q", "--quiet", action="store_true", help="leave out remarks and progress")
    parser.add_argument("--verbose", action="store_true", help="cut no remark and no model short")
    return parser


def command_parser(command: Command) -> CommandParser:
    """Return the parser of the arguments of a command."""
    parser = CommandParser(f"idnf {command.name}", "", f"{command.help[0].upper()}{command.help[1:]}.")
    parser.add_argument(
        "-q", "--quiet", action="store_true", default=argparse.SUPPRESS, help="leave out remarks and progress"
    )
    parser.add_argument(
        "--verbose", action="store_true", default=argparse.SUPPRESS, help="cut no remark and no model short"
    )
    imported(command.add_arguments)(parser)
    return parser


def _fail(message: str, code: int) -> int:
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
