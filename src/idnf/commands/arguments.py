"""What every command shares as it reads its words: a parser whose errors are one line, and the types of values."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import partial
from typing import NoReturn

from idnf.engines.addresses import shown_addresses, without_address
from idnf.logic.errors import InvalidArgument

AUTO = -1
"""Stands for a k that is to be chosen."""

PAIRS = ("--as", "--monotone", "--class-weight", "--cost", "--field", "--read", "--say")
"""Options whose values are written name=value, as connection strings are too."""

help_formatter = partial(argparse.RawDescriptionHelpFormatter, max_help_position=30)
"""Keeps examples as they are written, and options beside their meaning."""


class CommandParser(argparse.ArgumentParser):
    """A parser whose errors are one line with the remedy, and show no secret of a mistyped address."""

    def __init__(self, prog: str, usage: str, description: str = "", epilog: str = "") -> None:
        super().__init__(
            prog=prog,
            usage=usage,
            description=description,
            epilog=epilog,
            formatter_class=help_formatter,
            exit_on_error=False,
        )
        self.words: list[str] = []

    def error(self, message: str) -> NoReturn:
        """Report what is wrong with the words, and end with exit code 2."""
        hidden = shown_addresses(without_secrets(message, self.words))
        ending = "" if hidden.endswith((".", "?")) else "."
        self.exit(2, f"{self.prog}: {hidden}{ending} {self.prog} --help lists what there is.\n")

    def parse(self, words: Sequence[str], given: argparse.Namespace | None = None) -> argparse.Namespace:
        """Return the values of words; a word too many, or an option that is not there, is an error."""
        self.words = [part for word in words for part in ([word] if word[:2] != "--" else word.split("=", 1))]
        try:
            options, unknown = self.parse_known_args(words, given)
        except argparse.ArgumentError as error:
            self.error(error.message if error.argument_name is None else f"{error.argument_name} {error.message}")
        if unknown:
            name = next((word for word in unknown if word.startswith("-")), unknown[0]).partition("=")[0]
            known = [f"--{each.replace('_', '-')}" for each in vars(options)]
            what = "an option" if name.startswith("-") else "an argument"
            self.error(f"{name} is not {what} of {self.prog}.{did_you_mean(name, known)}")
        return options


def without_secrets(message: str, words: Sequence[str]) -> str:
    """Return a message that shows of every address among the words of a command only what may be shown."""
    for option, word in zip(["", *words], words):
        if option not in PAIRS:
            message = without_address(message, word)
    return message


def did_you_mean(given: str, names: Iterable[object]) -> str:
    """Return a question about the nearest of some names; nothing if none is near.

    >>> did_you_mean("Antrag", ["Antrag Nr.", "Datum"]), did_you_mean("yes", [0, 1])
    (' Did you mean Antrag Nr.?', '')
    >>> did_you_mean("--traget", ["--target", "--skip"]), did_you_mean("--id", ["--target", "--skip"])
    (' Did you mean --target?', '')
    """
    # The dashes that all options begin with make none of them nearer.
    asked, folded = (
        given.casefold().removeprefix("--"),
        {str(name).casefold().removeprefix("--"): str(name) for name in names},
    )
    begun = [name for name in folded if asked and name.startswith(asked)]
    close = get_close_matches(asked, folded, 1) or begun[:1]
    return f" Did you mean {folded[close[0]]}?" if close else ""


def named_texts(option: str, form: str, pairs: Sequence[str]) -> dict[str, str]:
    """Return the values of an option that is written name=text.

    >>> named_texts("--say", "LABEL=TEXT", ["0=declined"])
    {'0': 'declined'}
    """
    wrong = next((pair for pair in pairs if "=" not in pair), None)
    if wrong is not None:
        raise InvalidArgument(option, f"be {form}", wrong)
    return dict(pair.split("=", 1) for pair in pairs)


def whole_number(least: int) -> Callable[[str], int]:
    """Return a function that reads a whole number.

    >>> whole_number(1)("3")
    3
    >>> whole_number(1)("0")
    Traceback (most recent call last):
        ...
    argparse.ArgumentTypeError: must be at least 1; got 0
    """

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be a whole number; got {text}") from None
        if value < least:
            raise argparse.ArgumentTypeError(f"must be at least {least}; got {text}")
        return value

    return read


def whole_number_or_auto(text: str) -> int:
    """Return a whole number from 1 on, or what stands for one that is to be chosen."""
    if text == "auto":
        return AUTO
    if not text.removeprefix("-").isdecimal():
        raise argparse.ArgumentTypeError(f"must be a whole number or auto; got {text}")
    return whole_number(1)(text)


def threads(text: str) -> int:
    """Return a number of threads: from 1, or -1 for one per core.

    >>> threads("0")
    Traceback (most recent call last):
        ...
    argparse.ArgumentTypeError: must be 1 or more, or -1 for one per core; got 0
    """
    value = whole_number(-1)(text)
    if value == 0:
        raise argparse.ArgumentTypeError(f"must be 1 or more, or -1 for one per core; got {text}")
    return value


def number_above(limit: float) -> Callable[[str], float]:
    """Return a function that reads a number above a limit."""

    def read(text: str) -> float:
        value = number(text)
        if not limit < value < float("inf"):
            raise argparse.ArgumentTypeError(f"must be above {limit:g}; got {text}")
        return value

    return read


def share(text: str) -> float:
    """Return a share of rows, at least 0 and less than 1.

    >>> share("0.25")
    0.25
    """
    value = number(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 0 and less than 1; got {text}")
    return value


def share_or_percent(text: str) -> float:
    """Return a share of rows from 0 to 1, which may be written in percent.

    >>> share_or_percent("2%"), share_or_percent("0.5")
    (0.02, 0.5)
    """
    value = number(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"must be from 0 to 1, or 0% to 100%; got {text}")
    return value


def svg_file(text: str) -> str:
    """Return the name of a file for a picture."""
    if not text.lower().endswith(".svg"):
        raise argparse.ArgumentTypeError(f"must end in .svg, since pictures are written as SVG; got {text}")
    return text


def number(text: str) -> float:
    """Return a number."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a number; got {text}") from None
