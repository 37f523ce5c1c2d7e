"""A credit-like table of mixed types: what is learned, compared with the policy that generated the table."""

from __future__ import annotations

import numpy as np
import pandas as pd

from idnf import DNFClassifier, exporting
from idnf.datasets.loans import loan_table


def policy(table: pd.DataFrame) -> np.ndarray:
    """Return the answers of the policy that generated the table, before one in twenty was flipped."""
    earns, stays = table["income"] > 2400, table["employed"] > pd.Timedelta(days=730)
    approved = earns & (~table["debt"] | stays) | table["guarantor"] & (table["region"] != "Zürich")
    return np.where(approved, "approved", "declined")


def main() -> None:
    """Learn, compare, explain, find a way to the other answer, and write SQL."""
    loans = loan_table(2000)
    table, answers = loans.to_pandas(), np.where(loans.approved, "approved", "declined")
    train, test = slice(0, 1500), slice(1500, None)
    clf = DNFClassifier(k=3, effort=0.1).fit(table[train], answers[train])
    print(clf.to_text(first="approved"))
    print("\nThe policy behind the table: approved if income > 2400 and debt is false, or income > 2400 and")
    print("employed > 730 days, or guarantor is true and region is not Zürich; then one answer in twenty is flipped.")
    truth = policy(table[test])
    print(f"accuracy on {len(truth)} loans held out: {clf.score(table[test], answers[test]):.3f}", end=", ")
    print(f"the policy's own: {np.mean(truth == answers[test]):.3f}")
    print(f"agreement with the policy: {clf.score(table[test], truth):.3f}\n")

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
