"""A path of prices for a second quantity, and the bound that each price proves (Lagrange).

Every model has a loss and a share of rows that it changes. The model of least ``loss + price * changed`` is a vertex of
the lower convex hull of these pairs. The price at which two neighbouring vertices cost the same either shows a vertex
between them or proves that there is none, so a few prices find the whole hull if the learner is exact. A lower bound on
the priced problem, less ``price * limit``, is one on the loss of every model within the limit. The greatest of these is
the hull at the limit: a model within the limit may lie above it, unless the limit is at a vertex.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from idnf.learning.objective import TOLERANCE

Model = TypeVar("Model")


@dataclass(frozen=True)
class PricedModel(Generic[Model]):
    """A model with its loss, and with the share of rows that it changes."""

    model: Model
    changed: float
    loss: float


class PricePath(Generic[Model]):
    """The models learned so far, the prices still to try, and what is proved.

    Parameters
    ----------
    limit : float
        The share of rows that may change.
    known : PricedModel
        A model within the limit.

    Attributes
    ----------
    models : list of PricedModel
        The one known first.
    bounds : dict of str to float
        For each family the loss below which no model of it within the limit can come.

    Examples
    --------
    >>> path = PricePath(0.1, PricedModel("old", 0.0, 0.3))
    >>> path.next_price()
    0.0
    >>> path.add(0.0, PricedModel("new", 0.4, 0.1), least=0.1, family="any")
    >>> round(path.next_price(), 3), path.best.model, path.bounds
    (0.5, 'old', {'any': 0.1})
    >>> path.add(0.5, PricedModel("between", 0.1, 0.2), least=0.25, family="any")
    >>> path.best.model, path.bounds
    ('between', {'any': 0.2})
    """

    def __init__(self, limit: float, known: PricedModel[Model]) -> None:
        self.limit = limit
        self.models = [known]
        self.bounds: dict[str, float] = {}
        self._tried: list[float] = []

    def next_price(self) -> float | None:
        """Return the price to learn with next; None if every edge of the hull has been tried."""
        if not self._tried:
            return 0.0
        edges = [(price, spans, width) for price, spans, width in self._edges() if not self._is_tried(price)]
        if not edges:
            return None
        return max(edges, key=lambda edge: (edge[1], edge[2]))[0]

    def add(
        self, price: float, found: PricedModel[Model], *, least: float | None = None, family: str | None = None
    ) -> None:
        """Add what was learned with a price, and the least that any model of a family costs with that price."""
        self._tried.append(price)
        self.models.append(found)
        if least is not None and family is not None:
            bound = max(least - price * self.limit, 0.0)
            self.bounds[family] = max(bound, self.bounds.get(family, 0.0))

    @property
    def best(self) -> PricedModel[Model]:
        """The model of least loss among those within the limit; of equals the one that changes least."""
        within = (one for one in self.models if one.changed <= self.limit + TOLERANCE)
        return min(within, key=lambda one: (round(one.loss, 12), round(one.changed, 12)))

    @property
    def hull(self) -> list[PricedModel[Model]]:
        """The vertices of the lower convex hull, from the fewest changes to the least loss."""
        hull: list[PricedModel[Model]] = []
        for one in sorted(self.models, key=lambda one: (one.changed, one.loss)):
            if hull and one.loss >= hull[-1].loss - TOLERANCE:
                continue
            while len(hull) > 1 and _slope(hull[-2], one) >= _slope(hull[-2], hull[-1]) - TOLERANCE:
                hull.pop()
            hull.append(one)
        return hull

    def price_of(self, place: int) -> float:
        """Return a price at which a vertex of the hull, by its place, costs least; the last one costs least at 0."""
        hull = self.hull
        if place == len(hull) - 1:
            return 0.0
        last = _slope(hull[place], hull[place + 1])
        return last if place == 0 else (last + _slope(hull[place - 1], hull[place])) / 2

    def _edges(self) -> Iterator[tuple[float, bool, float]]:
        """Yield the price of each edge of the hull, whether the limit lies in it, and how wide it is."""
        for few, many in pairwise(self.hull):
            spans = few.changed <= self.limit + TOLERANCE < many.changed
            yield _slope(few, many), spans, many.changed - few.changed

    def _is_tried(self, price: float) -> bool:
        return any(abs(price - other) <= 1e-9 * max(1.0, price) for other in self._tried)


def _slope(few: PricedModel[Model], many: PricedModel[Model]) -> float:
    """Return how much loss is saved for each share of rows changed, from one model to another that changes more."""
    return (few.loss - many.loss) / (many.changed - few.changed)
