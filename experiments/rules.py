"""Rules that choose a setting and a size, compared on what experiments/settings.py learned.

A rule is a function of a case and k that returns the setting and the size it takes, or an accuracy.
"""

import argparse
from functools import partial
from pathlib import Path

import numpy as np
import studies
from collection import division, names
from settings import BOUNDS, FEW, SPLITS, Case, learning, teachers
from studies import compared, write


def places_of(settings, k, least=2, *, by_size=False):
    found = [(setting, size) for setting in settings for size in range(min(k, least), k + 1)]
    return sorted(found, key=lambda place: place[1]) if by_size else found


def least(settings, fraction, inside=0.0, pooled=0.0, **which):
    """The shortest models within a fraction of a standard error of the least error in cross-validation.

    `inside` is the part of the error in training; `pooled` how far errors are drawn to those of their size and setting;
    `which` says what sizes are tried, and in which order.
    """

    def rule(case, k):
        tried = places_of(settings, k, **which)
        predicted, errors, lengths, training = zip(*(case.held_out_figures(*place) for place in tried), strict=True)
        errors = (1 - inside) * np.array(errors) + inside * np.array(training)
        if pooled:
            grid = errors.reshape(len(settings), -1)
            sums = grid.mean(axis=0) + grid.mean(axis=1, keepdims=True) - grid.mean()
            errors = ((1 - pooled) * grid + pooled * sums).ravel()
        weight, best = case.weight(settings[0]), predicted[int(errors.argmin())]
        differ = np.array([(each != best) @ weight for each in predicted]) / weight.sum()
        more = errors - errors.min()
        good = np.flatnonzero(more <= fraction * np.sqrt(np.maximum(differ - more**2, 0) / case.examples) + 1e-12)
        return tried[min(good, key=lambda place: (lengths[place], errors[place], place))]

    return rule


def unless(first, second, clearly):
    """The first setting, unless the second errs so many standard errors of the difference less."""

    def rule(case, k):
        chosen = []
        for setting in (first, second):
            size = least([setting], 0.5, 0.2)(case, k)[1]
            predicted, errors, _, training = case.held_out_figures(setting, size)
            chosen.append(((setting, size), predicted, 0.8 * errors + 0.2 * training))
        (one, said, wrong), (other, denied, less) = chosen
        weight = case.weight(first)
        differ = (said != denied) @ weight / weight.sum()
        margin = clearly * np.sqrt(max(differ - (wrong - less) ** 2, 0) / case.examples)
        return other if wrong - less > max(margin, 1e-12) else one

    return rule


def all_of_k(setting):
    return lambda _, k: (setting, k)


def hindsight(settings, **which):
    """The best on the test rows: what no rule can know."""
    return lambda case, k: min(places_of(settings, k, **which), key=lambda place: case.wrong(*place).mean())


def half_hindsight(settings):
    """The best on each half of the test rows, on the other half: what an honest choice with more data would give."""

    def rule(case, k):
        wrong = np.array([case.wrong(*place) for place in places_of(settings, k)])
        count = wrong.shape[1]
        half = np.random.default_rng(0).permutation(count) < count // 2
        first, second = (wrong[:, part].mean(axis=1).argmin() for part in (half, ~half))
        return 100 * (1 - (wrong[first][~half].mean() + wrong[second][half].mean()) / 2)

    return rule


def vote(settings):
    """What most models of size k say; it has no short reasons."""

    def rule(case, k):
        share = np.mean([case.wrong(setting, k) for setting in settings], axis=0)
        return 100 * (1 - np.mean((share > 0.5) + 0.5 * (share == 0.5)))

    return rule


FOREST = ("F:0:0", "F:0:1", "F:0.5:1", "F:0.5:3")
LONG = (*FOREST, "F:0.5:1:1", "F:0:1:1")
PLAIN, VOTES, BEFORE, STRICT, GUESS = "plain", "V:0.5:3", "VL:0.75:1", "VL:0.75:3", "VL:s3:1"
LINES = {f"lines {numbers}": [FOREST[i] for i in numbers] for numbers in ([0], [0, 3], [2, 3], [0, 1, 2, 3])}
FIRST = {
    **{
        f"all of k, belief {setting.split(':')[1]}, price of noise times {setting.split(':')[2]}"
        + (", made-up examples of weight 1" if setting.count(":") > 2 else ""): all_of_k(setting)
        for setting in LONG
    },
    **{
        f"cross-validated over sizes and {lines}, within {fraction:g}": least(some, fraction, least=1, by_size=True)
        for lines, some in LINES.items()
        for fraction in (0.0, 0.25, 0.5, 1.0)
    },
    "best in hindsight": hindsight(FOREST, least=1, by_size=True),
}
CHOICES = {
    "plain and votes of trees, sizes from 1, within 0.25": least([PLAIN, VOTES], 0.25, least=1),
    "plain and votes of trees, within 0.25": least([PLAIN, VOTES], 0.25),
    "all of k, plain": all_of_k(PLAIN),
    "all of k, votes of trees": all_of_k(VOTES),
    "all of k, mixture": all_of_k(BEFORE),
    "plain alone, within 0.25": least([PLAIN], 0.25),
    "mixture alone, within 0.25": least([BEFORE], 0.25),
    "plain and mixture, within 0": least([PLAIN, BEFORE], 0.0),
    "plain and mixture, within 0.25": least([PLAIN, BEFORE], 0.25),
    "plain and mixture, within 0.5": least([PLAIN, BEFORE], 0.5),
    "plain and mixture, within 1": least([PLAIN, BEFORE], 1.0),
    "plain and mixture at three times the price, within 0.25": least([PLAIN, STRICT], 0.25),
    "plain, votes and mixture, within 0.25": least([PLAIN, VOTES, BEFORE], 0.25),
    "best in hindsight": hindsight([PLAIN, VOTES, BEFORE], least=1),
}
ALL = (PLAIN, BEFORE, GUESS, "VLK:s3:1", "VLK:s3:0.3", "VLK:s1:0.3", "VLK:s10:1")
GUESSES = {
    "three quarters of every label, within 0.25": least([PLAIN, BEFORE], 0.25),
    "the same, by the error expected with all rows, within 0.5": least([PLAIN, BEFORE], 0.5, 0.2),
    "guesses count as three examples, within 0.25": least([PLAIN, GUESS], 0.25),
    "**the same, by the error expected with all rows, within 0.5**": least([PLAIN, GUESS], 0.5, 0.2),
    "within 0.35": least([PLAIN, GUESS], 0.35, 0.2),
    "within 0.25": least([PLAIN, GUESS], 0.25, 0.2),
    "within 0": least([PLAIN, GUESS], 0.0, 0.2),
    "errors drawn half to those of their size and objective": least([PLAIN, GUESS], 0.5, 0.2, pooled=0.5),
    "errors drawn wholly to them": least([PLAIN, GUESS], 0.5, 0.2, pooled=1.0),
    "twice as much of the error in training": least([PLAIN, GUESS], 0.5, 0.4),
    "with the kernel machine": least([PLAIN, "VLK:s3:1"], 0.25),
    "with it, at 0.3 times the price of noise": least([PLAIN, "VLK:s3:0.3"], 0.25),
    "with it, a guess counting as one example": least([PLAIN, "VLK:s1:0.3"], 0.25),
    "with it, a guess counting as ten": least([PLAIN, "VLK:s10:1"], 0.25),
    "all seven objectives": least(ALL, 0.25),
    "plain at a price of 0.25 examples": least(["plain:0.25", GUESS], 0.5, 0.2),
    "plain at a price of 0.6 examples": least(["plain:0.6", GUESS], 0.5, 0.2),
    "plain unless guesses err a standard error less": unless(PLAIN, GUESS, 1.0),
    "guesses unless plain errs a standard error less": unless(GUESS, PLAIN, 1.0),
    "all of k, plain": all_of_k(PLAIN),
    "all of k, three quarters of every label": all_of_k(BEFORE),
    "all of k, guesses as three examples": all_of_k(GUESS),
    "all of k, with the kernel machine": all_of_k("VLK:s3:1"),
    "all of k, with made-up examples": all_of_k("VLK:s3:0.3:1"),
    "vote of seven objectives": vote(ALL),
    "best in hindsight": hindsight([PLAIN, BEFORE]),
    "best in hindsight of half the test rows": half_hindsight([PLAIN, BEFORE]),
}
SETTINGS = {"rules": FOREST, "choices": (PLAIN, VOTES, BEFORE, STRICT), "guesses": (*ALL, "VLK:s3:0.3:1")}


def drawn_at_random():
    every = names("choosing")
    return [every[place] for place in np.random.default_rng(0).permutation(len(every)).tolist()]


def cells(kind, part, splits):
    """The data sets and splits of a round."""
    if kind == "rules":
        return [(name, split) for name in drawn_at_random()[:24] for split in splits or (0,)]
    if kind == "choices":
        return [(name, split) for split in splits or (1, 2, 3) for name in names("choosing")]
    if part == "concepts":
        return [(name, 0) for name in names(part)]
    small, large = SPLITS[part]
    return [
        (name, split) for name in names("choosing") for split in (small if len(division(name, 0)[1]) < FEW else large)
    ]


def accuracy_of(rule, case, k):
    taken = rule(case, k)
    return case.accuracy(*taken) if isinstance(taken, tuple) else taken


def mean_by_name(found):
    """By data set, the mean over its splits."""
    return {name: np.mean([line for each, line in found if each == name], axis=0) for name in dict(found)}


def by_size(kind, cases, rules):
    """A table of rules: accuracy and literals at each k, means over data sets of means over splits."""
    known = sorted({split for _, split, _ in cases})
    head = f"{len({name for name, *_ in cases})} data sets" + (
        f", splits {', '.join(map(str, known))}" if known[1:] else ""
    )
    table, first = [[head, *(f"k = {k}" for k in BOUNDS), *(f"literals, k = {k}" for k in BOUNDS)]], {}
    for label, rule in rules.items():
        line, literals = [label], []
        for k in BOUNDS:
            try:
                taken = [(name, case, *rule(case, k)) for name, _, case in cases]
                means = mean_by_name([(name, case.accuracy(setting, size)) for name, case, setting, size in taken])
            except KeyError:
                break
            line.append(compared(means, first.setdefault(k, means)))
            lengths = mean_by_name(
                [(name, case.found[setting]["full lengths"][size - 1]) for name, case, setting, size in taken]
            )
            literals.append(f"{np.mean(list(lengths.values())):.1f}")
        if literals:
            table.append([*line, *literals])
    write(kind, table)


def by_part(kind, cases, rules):
    """A table of rules: accuracy at every k on the splits to try, those to decide on, and on concepts."""
    table, first = [["rule", "splits to try", "splits to decide", "concepts"]], {}
    for label, rule in rules.items():
        line = [label]
        for part, here in cases.items():
            try:
                found = [(name, [accuracy_of(rule, case, k) for k in BOUNDS]) for name, _, case in here]
            except KeyError:
                found = []
            if not found:
                line.append("")
                continue
            means = mean_by_name(found)
            figures = " / ".join(f"{mean:.2f}" for mean in np.mean(list(means.values()), axis=0))
            difference = compared(
                *({name: each.mean() for name, each in some.items()} for some in (means, first.setdefault(part, means)))
            )
            line.append(f"{figures} {difference.partition(' ')[2]}")
        table.append(line)
    write(kind, table)


def parsed(kind, arguments):
    parser = argparse.ArgumentParser(prog=f"searching.py {kind}", description=__doc__)
    parser.add_argument("folder", type=Path, help="where what is learned is kept")
    parser.add_argument("--part", choices=("try", "decide", "concepts"), default="try", help="of guesses")
    parser.add_argument("--settings", nargs="+", default=SETTINGS[kind])
    parser.add_argument("--splits", type=int, nargs="+")
    parser.add_argument("--data", nargs="+", help="some data sets alone")
    parser.add_argument("--output", type=Path, default=studies.FOLDER, metavar="FOLDER", help="of the table")
    parser.add_argument("--table", action="store_true", help="compare rules on what is there")
    parser.add_argument("--teachers", action="store_true", help="compare guesses with labels they were not shown")
    parser.add_argument("--fewest", type=int, default=0, help="test rows that a data set in the table has at least")
    parser.add_argument("--folds", type=int, help="in place of five, drawn once (guesses)")
    parser.add_argument("--effort", type=float, help="of search in the folds (guesses)")
    return parser.parse_args(arguments)


def chosen_cases(kind, part, options):
    for name, split in cells(kind, part, options.splits):
        if not options.data or name in options.data:
            case = Case(kind, options.folder, name, split)
            if len(case.test) >= options.fewest:
                yield name, split, case


def main(kind, arguments):
    options = parsed(kind, arguments)
    studies.FOLDER = options.output
    if options.folds:
        learning.FOLDS, learning._REPEATS = options.folds, 1
    learning._QUICK = options.effort or learning._QUICK

    cases = partial(chosen_cases, kind, options=options)
    if options.teachers:
        teachers(case for _, split, case in cases("try") if split == 0)
    elif not options.table:
        for _, _, case in cases(options.part):
            for setting in options.settings:
                case.learned(setting)
    elif kind == "guesses":
        by_part(kind, {part: list(cases(part)) for part in ("try", "decide", "concepts")}, GUESSES)
    else:
        by_size(kind, list(cases(None)), FIRST if kind == "rules" else CHOICES)
