"""The error of a value that is refused; it carries its fields, so that Python and the command line each word it."""

from __future__ import annotations


class InvalidArgument(ValueError):
    """A value is not what it must be.

    Parameters
    ----------
    name : str
        What the user typed: a parameter, or an option or a file of the command line.
    rule : str
        What it must be or do, beginning with the verb: "be at least 1", "name a column".
    got : object, optional
        The value, as it is shown; nothing if the rule says enough.
    remedy : object, optional
        What to do instead, as a text or as an object that each front words; nothing if the rule says it.

    Examples
    --------
    >>> error = InvalidArgument("n_jobs", "be at least 1", 0, "Leave it out for one thread.")
    >>> str(error)
    'n_jobs must be at least 1; got 0. Leave it out for one thread.'
    >>> error.sentence("--jobs")
    '--jobs must be at least 1; got 0. Leave it out for one thread.'
    """

    def __init__(self, name: str, rule: str, got: object = "", remedy: object = "") -> None:
        super().__init__(name, rule, got, remedy)
        self.name, self.rule, self.got, self.remedy = name, rule, got, remedy

    def __str__(self) -> str:
        return self.sentence(self.name)

    def sentence(self, name: str, remedy: str | None = None) -> str:
        """Return the message about the value under another name, and with another wording of the remedy."""
        got = f"; got {self.got}" if str(self.got) else ""
        advice = str(self.remedy) if remedy is None else remedy
        gap = "\n" if "\n" in advice else " " if advice else ""
        return f"{name} must {self.rule}{got}.{gap}{advice}"
