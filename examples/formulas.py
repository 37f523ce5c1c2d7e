"""Formulas: complement, induced matchings, nested or not, and the paper's landscape."""

from __future__ import annotations

from idnf import DNF, NestedDNF
from idnf.logic.analysis import analyse
from idnf.logic.example_functions import majority


def main() -> None:
    """Analyse a policy and two of the paper's examples."""
    policy = DNF.parse("young & unemployed | 'two arrears' & ~'has guarantor'")
    print(f"refuse if    {policy}")
    print(f"approve if   {policy.complement()}")
    print(policy.double().verify())
    matrix = NestedDNF.recognise(policy, 2)
    assert matrix is not None, "two terms of two literals are nested"
    print(f"\nas a nested 2-DNF, by its literal matrix:\n{matrix.matrix_text()}")

    print("\nThree terms over six features have refutations of three literals:")
    print(analyse(DNF.parse("a & b | c & d | e & f")).to_text())
    print("\nMajority of five, which is no nested 3-DNF:")
    print(analyse(majority(3)).to_text())


if __name__ == "__main__":
    main()
