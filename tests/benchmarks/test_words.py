"""Names and sentences are drawn as the examples say."""

import doctest

from benchmarks import words


def test_examples() -> None:
    assert doctest.testmod(words) == (0, 2)


def test_a_page_gives_its_sentences_without_its_tables_and_programs() -> None:
    page = "# A title\n\nIt is the first. And this the\nsecond.\n\n| a | b c d e |\n\n```\nand no text at all\n```\n"
    assert list(words.paragraphs(page)) == [(3, "It is the first."), (3, "And this the second.")]


def test_comments_and_messages_are_sentences() -> None:
    assert list(words.written('raise E("it must be a number")  # as it was written down\n')) == [
        (1, "it must be a number"),
        (1, "as it was written down"),
    ]
