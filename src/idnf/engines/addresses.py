"""Addresses of databases and files as they may be shown: scheme, host and database, and nothing else.

A connection string may hold a password anywhere, above all when it is mistyped. So nothing is cut out of it: only what
is surely the scheme, the host or the database is shown, and stars for the rest.
"""

from __future__ import annotations

import re

_HIDDEN = "***"
_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+]{0,30}")
_PLACE = re.compile(rf"(?P<host>{_NAME})?(?::[^/]*)?(?:/(?P<database>{_NAME})?)?")
# A place to read from that is no URL, yet may hold a secret: user:password@host without a scheme, name=value pairs.
_SECRETIVE = re.compile(r"^[^:]*+:.*@|//|\w\s*+=", re.DOTALL)
_URL = re.compile(r"(?<![A-Za-z0-9+])[A-Za-z0-9+]++://[^\s'\"]+")
_STORES = frozenset(("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "hdfs", "http", "https", "file", "hf"))


def is_address(text: str) -> bool:
    """Return whether a text is a URL, or looks like a connection string that was meant to be one.

    >>> is_address("postgresql://me@host/bank"), is_address("postgresql:/me:secret@host"), is_address("loans.csv")
    (True, True, False)
    """
    return "://" in text or _SECRETIVE.search(text) is not None


def is_store(text: str) -> bool:
    """Return whether a URL is that of a place where files lie, not of a database.

    >>> is_store("s3://bank/loans.parquet"), is_store("postgresql://host/loans.parquet")
    (True, False)
    """
    return text.partition("://")[0].lower() in _STORES


def shown_address(text: str) -> str:
    """Return an address as it may be shown; the name of a file as it is.

    >>> shown_address("postgresql://me:secret@host:5432/bank?sslmode=off"), shown_address("loans.csv")
    ('postgresql://host/bank', 'loans.csv')
    >>> shown_address("postgresql://me:p/s@s@host/bank"), shown_address("postgresql://host/bank?password=p@ss")
    ('postgresql://host/bank', 'postgresql://***')
    >>> shown_address("me:secret@host/bank")
    '***'
    """
    if not is_address(text):
        return text
    scheme, _, rest = text.partition("://")
    if not rest or not _SCHEME.fullmatch(scheme):
        return _HIDDEN
    if is_store(text) and "@" not in rest:
        return f"{scheme}://{re.split(r'[?#]', rest)[0]}"
    return f"{scheme}://{_place(rest)}"


def shown_addresses(text: str) -> str:
    """Return a text in which every URL is shown as :func:`shown_address` does.

    >>> shown_addresses("SELECT * FROM read_parquet('https://host/a.parquet?token=secret')")
    "SELECT * FROM read_parquet('https://host/a.parquet')"
    """
    return _URL.sub(lambda url: shown_address(url[0]), text)


def without_address(message: str, address: str) -> str:
    """Return what an engine says, with no part of an address in it but what may be shown.

    >>> without_address("no route to me:secret@host, password secret", "postgresql://me:secret@host/bank")
    'no route to ***:***@host, password ***'
    """
    if not is_address(address):
        return message
    hidden = message.replace(address, shown_address(address))
    shown = set(re.findall(r"[^\W_]+", shown_address(address)))
    secrets = {part for part in re.split(r"[:/@?&=;#\s]+", address.partition("://")[2] or address) if part}
    for secret in sorted(secrets - shown, key=len, reverse=True):
        hidden = re.sub(rf"(?<![A-Za-z0-9]){re.escape(secret)}(?![A-Za-z0-9])", _HIDDEN, hidden)
    return hidden


def _place(rest: str) -> str:
    """Return host and database of what follows the scheme, where they can be told for sure."""
    user, at, after = rest.rpartition("@")
    # An @ behind a ? or # may belong to a password there, or the ? to a password before it.
    if at and re.search(r"[?#=]", user):
        return _HIDDEN
    place = _PLACE.fullmatch(re.split(r"[?#;]", after)[0])
    if place is None or (not at and ":" in after.partition("/")[0]):
        return _HIDDEN
    database = place["database"]
    return (place["host"] or "") + ("" if database is None else f"/{database}")
