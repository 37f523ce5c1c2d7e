"""Names and sentences of the package and its documents, drawn at random so that somebody reads them afresh.

    python benchmarks/words.py                    150 names and 150 sentences, with their places
    python benchmarks/words.py --seed 1 --count 300

Names are those of functions, classes, parameters and variables in src. Sentences are those of docstrings, comments,
help and messages in src, and of the pages in docs and README.
"""

from __future__ import annotations

import argparse
import ast
import io
import random
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`*])")
LEAST_WORDS = 4
"""Shorter texts are labels, not sentences."""


def names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the names that a module gives to functions, classes, parameters and variables, each once, with its line.

    >>> list(names(ast.parse("def f(x):\\n    y = x")))
    [(1, 'f'), (1, 'x'), (2, 'y')]
    """
    seen = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = node.name
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        else:
            continue
        if name not in seen and not name.startswith("__"):
            seen.add(name)
            yield node.lineno, name


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, on one line each.

    >>> sentences("It is there. It was read\\nby nobody. No.")
    ['It was read by nobody.']
    """
    parts = SENTENCE.split(" ".join(text.split()))
    return [part for part in parts if len(part.split()) >= LEAST_WORDS]


def written(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a module's strings and comments, with their lines."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from ((node.lineno, one) for one in sentences(node.value.partition(">>>")[0]))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield from ((token.start[0], one) for one in sentences(token.string.lstrip("# ")))


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a page, with the line their paragraph begins at; tables and code are left out."""
    fenced, line = False, 1
    for block in re.split(r"(\n\s*\n)", text):
        fences = block.count("```")
        if not fenced and not fences and not block.lstrip().startswith(("|", ">>>", "{", "    ")):
            yield from ((line, one) for one in sentences(block))
        fenced ^= bool(fences % 2)
        line += block.count("\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=150, help="of each (default 150)")
    parser.add_argument("--seed", type=int, default=0, help="of what is drawn (default 0)")
    chosen = parser.parse_args()
    modules = sorted((ROOT / "src").rglob("*.py"))
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    named, said = [], []
    for path in modules:
        text, place = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
        named += [(place, *one) for one in names(ast.parse(text))]
        said += [(place, *one) for one in written(text)]
    for path in pages:
        said += [(path.relative_to(ROOT), *one) for one in paragraphs(path.read_text(encoding="utf-8"))]
    generator = random.Random(chosen.seed)
    for title, every in (("names", named), ("sentences", said)):
        print(f"{chosen.count} of {len(every):,} {title}, seed {chosen.seed}:")
        for place, line, words in sorted(generator.sample(every, chosen.count)):
            print(f"  {place}:{line}: {words}")


if __name__ == "__main__":
    main()
