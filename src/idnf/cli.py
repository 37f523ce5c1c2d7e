"""The command line: ``idnf --help`` is the tour."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from idnf import __version__
from idnf.commands import applying, demo, fitting, formulas, models, research
from idnf.commands.arguments import help_formatter
from idnf.commands.console import Console
from idnf.engines.queries import QueryError

_TOUR = """\
from a table to a model on an auditor's desk:
  idnf fit loans.csv --target approved --k 3 -o model.json
  idnf explain model.json loans.csv
  idnf report model.json loans.csv --target approved -o report.html

exit codes: 0 done; 1 the answer is no (verify, recourse); 2 bad input; 130 interrupted
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = build_parser()
    options = parser.parse_args(arguments)
    console = Console(quiet=options.quiet)
    try:
        code = int(options.run(options, console))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _failed("interrupted; no file was changed.", 130)
    except BrokenPipeError:
        _silence_output()
        return 0
    except (ValueError, TypeError, ModuleNotFoundError, QueryError) as error:
        return _failed(str(error), 2)
    except OSError as error:
        known = error.filename is not None and error.strerror
        return _failed(f"{error.filename}: {error.strerror}" if known else error.strerror or str(error), 2)
    return code


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="idnf",
        description="Classifiers whose every decision is explained by at most k conditions, with proof.",
        epilog=_TOUR,
        formatter_class=help_formatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"idnf {__version__}")
    parser.add_argument("-q", "--quiet", action="store_true", help="leave out remarks and progress")
    commands = parser.add_subparsers(required=True, metavar="command", title="commands")
    for module in (fitting, applying, models, formulas, research, demo):
        module.add_parser(commands)
    return parser


def _failed(message: str, code: int) -> int:
    _silence_output()
    sys.stderr.write(f"idnf: {message}\n")
    return code


def _silence_output() -> None:
    """Drop what is still to be written, where it cannot be; the interpreter would try again when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
