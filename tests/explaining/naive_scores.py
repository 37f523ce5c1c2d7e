"""Shares by the set of reasons that hold, as their definition reads: example by example."""

from __future__ import annotations

from math import inf, log

from tests.explaining import naive_explanations as naive

# The share of class 1 is above or below one half by at least this.
EVEN = 1e-6


def reason_given(world, point):
    """Return the class of a point and the conditions of its smallest AXp."""
    return world.table[point], naive.conditions(world, point, naive.minimal(world, point, naive.is_weak_axp)[0])


def reasons_held(reasons, point):
    return frozenset(place for place, (_, box) in enumerate(reasons) if naive.holds(box, point))


def kept_on_its_side(share, label):
    return max(share, 0.5 + EVEN) if label else min(share, 0.5 - EVEN)


class NaiveScores:
    """The share of class 1 of a point, given examples as pairs of a point and a label."""

    def __init__(self, world, reasons, examples):
        self.world, self.reasons, self.examples = world, reasons, examples
        self.known = {point: (reason_given(world, point), reasons_held(reasons, point)) for point in world.points}

    def share(self, point, strength, without=None):
        """Return the share of the examples but one that have the same set, drawn to that of the same reason."""
        (label, box), held = self.known[point]
        rest = [example for number, example in enumerate(self.examples) if number != without]
        same_reason = [y for x, y in rest if self.known[x][0] == (label, box)]
        same_set = [y for x, y in rest if self.known[x][1] == held]
        of_reason = (sum(same_reason) + 1) / (len(same_reason) + 2)
        share = of_reason if strength == inf else (sum(same_set) + strength * of_reason) / (len(same_set) + strength)
        return kept_on_its_side(share, label)

    def strengths(self):
        least = min(max(15_000 / max(len(self.examples), 1), 5.0), 100.0)
        return [least * 2**i for i in range(7)] + [inf]

    def strength(self):
        """Return the strength under which every example is likeliest to the others; the greatest of equal ones."""
        losses = []
        for strength in self.strengths():
            shares = [(self.share(x, strength, number), y) for number, (x, y) in enumerate(self.examples)]
            losses.append(-sum(log(share if y else 1 - share) for share, y in shares) / max(len(self.examples), 1))
        return max((round(-loss, 9), place) for place, loss in enumerate(losses))[1]

    def of_point(self, point):
        strength = self.strengths()[self.strength()]
        seen = {self.known[x][1] for x, _ in self.examples}
        return self.share(point, strength if self.known[point][1] in seen else inf)
