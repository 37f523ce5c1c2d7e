"""Our own learners, as a user calls them."""

from worker import Fitted, work

from idnf import DNFClassifier


def smaller_side(double):
    """The terms of the class that has fewer; without one the other class is always given."""
    label = int(double.positive.size <= double.negative.size)
    return [(label, term.codes) for term in double.side(bool(label)).terms] or [(1 - label, ())]


def learner(**parameters):
    def fit(X, y, k):
        model = DNFClassifier(k, **parameters).fit(X.astype(bool), y)
        return Fitted(
            lambda X: model.predict(X.astype(bool)),
            lambda: smaller_side(model.double_dnf_),
            proved=model.optimal_ is not None,
            explain=lambda X: model.explain(X.astype(bool), space="boolean"),
        )

    return fit


if __name__ == "__main__":
    work(
        {
            "idnf": learner(),
            "idnf-nested": learner(family="nested"),
            "idnf-exact": learner(family="pair-tree", learner="exact"),
            "idnf-greedy": learner(family="nested", learner="greedy"),
        }
    )
