"""The command line: ``idnf --help`` is the tour."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from idnf import __version__
from idnf.commands import demo, fitting, formulas, models, research
from idnf.commands.console import Console

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
        return int(options.run(options, console))
    except KeyboardInterrupt:
        return _failed("interrupted; nothing was written.", 130)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except (ValueError, TypeError, ModuleNotFoundError) as error:
        return _failed(str(error), 2)
    except OSError as error:
        known = error.filename is not None and error.strerror
        return _failed(f"{error.filename}: {error.strerror}" if known else error.strerror or str(error), 2)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="idnf",
        description="Classifiers whose every decision is explained by at most k conditions, with proof.",
        epilog=_TOUR,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"idnf {__version__}")
    parser.add_argument("--quiet", action="store_true", help="leave out remarks and progress")
    commands = parser.add_subparsers(required=True, metavar="command", title="commands")
    for module in (fitting, models, formulas, research, demo):
        module.add_parser(commands)
    return parser


def _failed(message: str, code: int) -> int:
    sys.stderr.write(f"idnf: {message}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
