"""Model files changed at random: bytes, and values of the document."""

from __future__ import annotations

import copy
import json
import random

_STRANGE = [
    *(None, True, False, 0, -1, 1, 2, 7, 10**6, 10**18, 10**30, -0.0, 0.5, 1e300, -1e-300),
    *("", "a", "\x00", "\ud800", "x" * 5000, "number", "category", "nested", "double", "seen", "__proto__"),
    *("2020-02-30", "1e5 days", [], {}, [[]], [0], [0, 1], {"k": 1}),
]
_BYTES = b'NaN Infinity - 1e999 " \\ { [ ] } , \xff \x00 99999999999999999999999999999999999999 null'.split()


def mutated(text: str, rng: random.Random) -> bytes:
    """Return a model file with one to three random changes."""
    if rng.random() < 0.25:
        data = text.encode()
        for _ in range(rng.randint(1, 3)):
            data = _with_bytes(data, rng)
        return data
    document = json.loads(text)
    for _ in range(rng.randint(1, 3)):
        document = _with_value(document, rng)
    return json.dumps(document).encode()


def _with_bytes(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    kind = rng.randrange(4)
    if kind == 0:
        return data[:start]
    stop = min(len(data), start + rng.randint(1, 20))
    if kind == 1:
        return data[:start] + data[stop:]
    middle = rng.choice(_BYTES) if kind == 2 else data[start:stop] * 2
    return data[:start] + middle + data[start if kind == 2 else stop :]


def _with_value(document: object, rng: random.Random) -> object:
    places = list(_places(document))
    if not places:
        return rng.choice(_STRANGE)
    holder, key = rng.choice(places)
    _change(holder, key, rng)
    return document


def _places(value: object) -> list[tuple[object, object]]:
    """Return every place in a document, as its holder and its key."""
    found: list[tuple[object, object]] = []
    stack = [value]
    while stack:
        here = stack.pop()
        keys = here if isinstance(here, dict) else range(len(here)) if isinstance(here, list) else ()
        for key in list(keys):
            found.append((here, key))
            stack.append(here[key])
    return found


def _change(holder, key, rng: random.Random) -> None:
    value = holder[key]
    kind = rng.randrange(6)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(value))
    elif kind == 2 and isinstance(value, list):
        rng.shuffle(value)
    elif kind == 3 and isinstance(holder, dict):
        holder[rng.choice(["extra", "", "k", "kind", *holder])] = copy.deepcopy(value)
    elif kind == 4 and isinstance(value, (int, float)):
        holder[key] = value + rng.choice([-2, -1, 1, 2, 0.5])
    else:
        holder[key] = copy.deepcopy(rng.choice(_STRANGE))
