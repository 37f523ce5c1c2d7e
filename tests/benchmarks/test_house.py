"""The house is counted as its examples say."""

import doctest

from benchmarks import house


def test_examples() -> None:
    assert doctest.testmod(house) == (0, 6)


def test_every_class_of_logic_is_a_kind() -> None:
    assert {"DNF", "DoubleDNF", "ClassDNFs", "NestedTree", "Leaf"} <= house.kinds()
    assert "VerificationError" not in house.kinds()


def test_classes_of_bands_are_those_of_their_home() -> None:
    assert {"DNFBands", "FittedBands", "ExaminedBands", "BandExplanation"} <= house.bands_classes()
    assert not {"DNFClassifier", "Fitted"} & house.bands_classes()
