"""A credit-like table of mixed types: what is learned, compared with the policy that generated the table."""

from __future__ import annotations

import numpy as np

from idnf import DNFClassifier, exporting
from idnf.tables.loans import loan_table


def main() -> None:
    """Learn, compare, explain, find a way to the other answer, and write SQL."""
    loans = loan_table(2000)
    table, answers = loans.to_pandas(), np.where(loans.approved, "approved", "declined")
    train, test = slice(0, 1500), slice(1500, None)
    clf = DNFClassifier(k=3, effort=0.1).fit(table[train], answers[train])
    print(clf.to_text(first="approved"))
    print(f"\naccuracy on {len(answers[test])} loans held out: {clf.score(table[test], answers[test]):.3f}")
    print("one answer in twenty is flipped, so nothing can be expected to do better than about 0.95\n")

    refused = table[test][clf.predict(table[test]) == "declined"]
    for explanation in clf.explain(refused[:3]):
        print(explanation)
    print()
    for way in clf.recourse(refused[:1], immutable=["region"], increase_only=["employed"], count=3):
        print(way)
    print(f"\n{clf.double_dnf_.verify()}\n")
    print(exporting.to_sql(clf, dialect="postgres", table="loans"))


if __name__ == "__main__":
    main()
