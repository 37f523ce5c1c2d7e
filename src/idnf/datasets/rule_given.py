"""Data sets of the paper that a rule gives in full, in the paper's Boolean encoding and order of examples.

>>> features, labels = balance_scale()
>>> features.shape, int(labels.sum())
((625, 16), 576)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

Examples = tuple[NDArray[np.bool_], NDArray[np.int8]]

# The monks' robots: how many values each attribute has, and the conditions of the paper's encoding.
_MONKS_VALUES = (3, 3, 2, 3, 4, 2)
_MONKS_CUTS = (
    (0, "<=", (1, 2)),
    (1, "<=", (1, 2)),
    (2, "=", (2,)),
    (3, "<=", (1, 2)),
    (4, "<=", (1, 2, 3)),
    (5, "=", (2,)),
)
_MONKS_CONDITIONS = tuple((column, sign, value) for column, sign, values in _MONKS_CUTS for value in values)
_MONKS_CONCEPTS: dict[str, Callable[[Sequence[int]], bool]] = {
    "monks-1": lambda a: a[0] == a[1] or a[4] == 1,
    "monks-2": lambda a: sum(value == 1 for value in a) == 2,
    "monks-3": lambda a: (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3),
}
_SCALE_COLUMNS = ("left weight", "left distance", "right weight", "right distance")
_SQUARES = tuple(f"{row}-{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right"))
_MARKS = "box"  # b for blank
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

MONKS_NAMES = tuple(f"a{column + 1} {sign} {value}" for column, sign, value in _MONKS_CONDITIONS)
BALANCE_SCALE_NAMES = tuple(f"{column} <= {cut}" for column in _SCALE_COLUMNS for cut in range(1, 5))
TIC_TAC_TOE_NAMES = tuple(f"{square} = {'blank' if mark == 'b' else mark}" for square in _SQUARES for mark in _MARKS)


def encode_monks(robots: Iterable[Sequence[int]]) -> NDArray[np.bool_]:
    """Encode raw robots, six attributes a1..a6 each, as the paper does.

    >>> encode_monks([[1, 2, 2, 3, 4, 1]]).astype(int).tolist()
    [[1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0]]
    """
    return np.array(
        [
            [
                robot[column] <= value if sign == "<=" else robot[column] == value
                for column, sign, value in _MONKS_CONDITIONS
            ]
            for robot in robots
        ],
        dtype=np.bool_,
    )


def monks_test(name: str) -> Examples:
    """Return all 432 robots with their true class: the test part of a monks problem."""
    robots = list(product(*(range(1, values + 1) for values in _MONKS_VALUES)))
    return encode_monks(robots), np.array([_MONKS_CONCEPTS[name](robot) for robot in robots], dtype=np.int8)


def balance_scale() -> Examples:
    """Return the 625 scales; class 0 is balance, and comes first."""
    scales = np.array(list(product(range(1, 6), repeat=4)))
    labels = (scales[:, 0] * scales[:, 1] != scales[:, 2] * scales[:, 3]).astype(np.int8)
    order = np.argsort(labels, kind="stable")
    features = (scales[:, :, np.newaxis] <= np.arange(1, 5)).reshape(len(scales), 16)
    return features[order], labels[order]


def tic_tac_toe() -> Examples:
    """Return the 958 final boards of games that x begins; class 1 is a win of x, and comes last."""
    boards = [board for board in product("xob", repeat=9) if _is_final("".join(board))]
    # Wins of o, then draws, then wins of x; blank before o before x within a square, larger boards first.
    boards.sort(key=lambda board: 2 * _wins(board, "x") + (not _wins(board, "o")))
    features = np.array([[mark == shown for shown in board for mark in _MARKS] for board in boards], dtype=np.bool_)
    return features, np.array([_wins(board, "x") for board in boards], dtype=np.int8)


def _wins(board: Sequence[str], mark: str) -> bool:
    return any(all(board[square] == mark for square in line) for line in _LINES)


def _is_final(board: str) -> bool:
    """Tell whether a game that x begins can end with this board."""
    x_leads = board.count("x") - board.count("o")
    if _wins(board, "x"):
        return x_leads == 1 and not _wins(board, "o")
    if _wins(board, "o"):
        return x_leads == 0
    return x_leads == 1 and "b" not in board
