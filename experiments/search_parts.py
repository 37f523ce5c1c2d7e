"""The default learner with one part of search left out: what each part is worth.

Every variant sets all the parts, so that variants may follow each other in one process. A part that is left out of the
fit stays in the folds of cross-validation unless the name of the variant says otherwise.
"""

from dataclasses import replace

from fits import default

from idnf.learning import search_learner
from idnf.learning.local import budgets, search
from idnf.learning.local.budgets import IN_FOLDS, WHOLE, JobMaker

PLACES = {
    "budget": (search, "WHOLE"),
    "shapes": (budgets, "all_shapes"),
    "starts": (search._Search, "_berge_jobs"),
    "repairs": (JobMaker, "repairing"),
    "lookahead": (search._Search, "_consider_lookahead_tree"),
    "references": (search._Search, "ask_references"),
    "checklists": (search_learner, "checklists"),
}
AS_IT_IS = {name: getattr(*place) for name, place in PLACES.items()}


def but(**changes):
    """The default with some parts changed."""

    def variant(k, state):
        for name, (place, attribute) in PLACES.items():
            setattr(place, attribute, changes.get(name, AS_IT_IS[name]))
        return default(k, state)

    return variant


def without_shapes(is_left_out, *, in_folds=False):
    """The shapes to anneal but some; folds have fewer restarts than the fit."""

    def shapes(task, problem, *, restarts):
        found = AS_IT_IS["shapes"](task, problem, restarts=restarts)
        kept = in_folds or restarts != IN_FOLDS.restarts
        return [shape for shape in found if not (kept and is_left_out(shape))]

    return shapes


def is_tree(shape):
    """Whether a shape is a decision tree without matrices; the default family anneals matrices too."""
    return not shape.order


def is_split(shape):
    """Whether a shape has a split above matrices."""
    return bool(shape.depth and shape.order)


def nothing(*_, **__):
    return []


PARTS = {
    "as it is": but(),
    "matrices annealed once in place of up to four times": but(budget=replace(WHOLE, restarts=1)),
    "no annealing of trees": but(shapes=without_shapes(is_tree)),
    "no annealing of trees above matrices": but(shapes=without_shapes(is_split)),
    "no look-ahead tree": but(lookahead=nothing),
    "no paper's learner and no CART": but(references=nothing),
    "no Berge steps from nothing": but(starts=lambda self: [job for job in AS_IT_IS["starts"](self) if job.start]),
    "Berge steps from one model in place of three": but(budget=replace(WHOLE, starts=1)),
    "no Berge steps": but(starts=nothing),
    "no checklists": but(checklists=nothing),
    "no annealing of trees, in folds too": but(shapes=without_shapes(is_tree, in_folds=True)),
    "no Berge steps in the folds": but(
        repairs=lambda self, *given: [] if self.budget is IN_FOLDS else AS_IT_IS["repairs"](self, *given)
    ),
}
