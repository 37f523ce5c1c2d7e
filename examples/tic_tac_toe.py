"""Tic-tac-toe: has x won? Learned from all 958 final boards, which a rule generates."""

from __future__ import annotations

from idnf import DNF, DNFClassifier, datasets


def main() -> None:
    """Show what each k can say about the game, against what the rule itself would need."""
    X, y = datasets.load("tic-tac-toe")
    print(f"{X.shape[0]} boards, {X.shape[1]} columns, x has won on {int(y.sum())}")
    for k in (2, 3, 4):
        clf = DNFClassifier(k, effort=0.2).fit(X, y)
        sides = clf.double_dnf_
        terms = f"{sides.positive.size} and {sides.negative.size} terms"
        print(f"k = {k}: right on {clf.score(X, y):.3f} of all boards, with {terms} for the two classes")
    lines = ["abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg"]
    rule = DNF.parse(" | ".join(" & ".join(line) for line in lines))
    least = rule.certificate_complexity()
    print(f"\nThe rule itself, {rule},")
    print(f"needs reasons of up to {least} squares over all ways to fill the board: three to show that x has won,")
    print(f"up to {rule.complement().width} to show that it has not.")


if __name__ == "__main__":
    main()
