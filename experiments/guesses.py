"""Whose guesses stand in place of labels, what a literal costs and which rule chooses, on the data to choose on.

`python experiments/guesses.py FOLDER try|decide|concepts SETTING...` learns with every setting and writes a file for
each data set and split; `--table` compares rules on what is there, `--teachers` the guesses themselves. Settings are
tried on the first splits and decided on others: data sets with fewer than 300 test rows, whose figures are noisy, have
more splits. "concepts" are generated and have no wrong label.

A setting is "plain", "plain:0.25" (a literal costs so many examples), or like "VL:s3:1": whose guesses (V votes of
trees, L logistic regression, K a kernel machine; of several, the mixture nearest to the labels), how many examples a
guess counts for beside those of its row (or, without the s, its part of every label), and the factor on the price of
noise. "VLK:s3:0.3:1" adds made-up examples of the weight of all examples, labelled by the kernel machine.
"""

import argparse
import pickle
from itertools import product
from pathlib import Path

import numpy as np
from collection import division, names

from idnf.counting.contract import DistinctRows
from idnf.counting.packed import PackedTable
from idnf.learning import path as learning
from idnf.learning.belief import believed, left_out_errors, unseen_share
from idnf.learning.evaluation import holds
from idnf.learning.local.masks import weight_unit
from idnf.learning.local.quick_search import models_by_size
from idnf.learning.local.search import search
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.logistic import left_out_chances
from idnf.learning.objective import Objective, error_share, noise_price

SIZES, MOST = (2, 3, 4), 4
# Test rows below which a data set has more splits; splits of small and of large ones.
FEW = 300
SPLITS = {"try": ((0, 1, 2), (0,)), "decide": ((3, 4, 5, 6, 7), (1, 2))}
# Widths and penalties of the kernel machine, of which the best on rows left out are taken.
WIDTHS, PENALTIES = (0.1, 0.3, 1.0), (0.1, 0.5, 2.0)
MOST_KERNEL = 3500
# Neighbours that made-up examples are crossed with, and how many are made for each row.
NEAR, MADE = 10, 3


def cells(part):
    if part == "concepts":
        return [(name, 0) for name in names(part)]
    small, large = SPLITS[part]
    return [
        (name, split) for name in names("choosing") for split in (small if len(division(name, 0)[1]) < FEW else large)
    ]


def feature_names(rows):
    return tuple(f"x{j}" for j in range(rows.features.shape[1]))


def squared_distance(rows, guess):
    return float(np.nansum(rows.positive * (1 - guess) ** 2 + rows.negative * guess**2))


def nearness(first, second, width):
    """The kernel: it falls with the share of features in which two rows differ."""
    first, second = first.astype(np.float32), second.astype(np.float32)
    differ = first @ (1 - second).T + (1 - first) @ second.T
    return np.exp(-differ / (width * first.shape[1]))


def varying(rows):
    """The features that are not the same in all rows."""
    return rows.features.any(axis=0) & ~rows.features.all(axis=0)


def kernel_system(rows, width, penalty):
    """The matrix of the kernel machine, what is left to explain, and the mean."""
    features = rows.features[:, varying(rows)]
    weight = rows.positive + rows.negative
    target = (rows.positive - rows.negative) / weight
    mean = np.average(target, weights=weight)
    return nearness(features, features, width) + np.diag(penalty / weight), target - mean, mean


def as_chance(score):
    return np.clip((score + 1) / 2, 0.01, 0.99)


def kernel_left_out(rows, width, penalty):
    """The chances that a kernel machine of all other rows gives to each row."""
    matrix, target, mean = kernel_system(rows, width, penalty)
    inverse = np.linalg.inv(matrix)
    return as_chance(target + mean - inverse @ target / np.diag(inverse))


def kernel_constants(rows):
    if len(rows.features) > MOST_KERNEL:
        return None
    return min(product(WIDTHS, PENALTIES), key=lambda pair: squared_distance(rows, kernel_left_out(rows, *pair)))


def mixture(rows, guesses):
    """The mixture in quarters that comes nearest to the labels."""
    known = guesses[0]
    for guess in guesses[1:]:
        known = np.where(np.isnan(known), guess, known)
    guesses = [np.where(np.isnan(guess), known, guess) for guess in guesses]
    parts = [part for part in product(range(5), repeat=len(guesses)) if sum(part) == 4]
    mixed = [sum(share / 4 * guess for share, guess in zip(part, guesses, strict=True)) for part in parts]
    return min(mixed[::-1], key=lambda guess: squared_distance(rows, guess))


def left_out(rows, make, parts=5):
    """The chances that a classifier of scikit-learn gives to the rows of each part after learning from the others."""
    count = len(rows.features)
    part, chances = np.random.default_rng([0, 9]).permutation(count) % parts, np.full(count, np.nan)
    features, places = np.tile(rows.features, (2, 1)), np.tile(np.arange(count), 2)
    classes, weights = np.repeat([1, 0], count), np.concatenate([rows.positive, rows.negative])
    for number in range(parts):
        shown = (weights > 0) & (part[places] != number)
        if len(set(classes[shown])) < 2:
            return np.full(count, np.nan)
        fitted = make().fit(features[shown], classes[shown], sample_weight=weights[shown])
        chances[part == number] = fitted.predict_proba(rows.features[part == number])[:, 1]
    return chances


class Case:
    """A data set and a split: its folds, what other models guess, and what was learned."""

    def __init__(self, folder, name, split):
        train, self.test, target, self.truth = division(name, split)
        table = PackedTable.from_arrays(np.asarray(train, dtype=bool), np.asarray(target, dtype=bool), None)
        self.rows = table.distinct_rows()
        self.folds = learning._drawn_folds(self.rows, np.random.default_rng([0, 1]))
        self.path = folder / f"{name.replace(' ', '_')}-{split}.pickle"
        self.found = pickle.loads(self.path.read_bytes()) if self.path.exists() else {}
        self.guesses = {}
        self.constants = None

    def guess(self, letter, rows):
        key = letter, id(rows)
        if key not in self.guesses:
            self.guesses[key] = self._guess(letter, rows)
        return self.guesses[key]

    def _guess(self, letter, rows):
        if letter == "V":
            trees = learning._MORE_TREES if len(rows.features) < learning._FEW_ROWS else learning.TREES
            return learning.left_out_votes(rows, random_state=0, trees=trees)
        if letter == "L":
            return left_out_chances(rows, unit=min(1.0, weight_unit(rows)))
        self.constants = self.constants or kernel_constants(self.rows)
        return kernel_left_out(rows, *self.constants) if self.constants else np.full(len(rows.features), np.nan)

    def objective(self, setting, rows):
        kind, *numbers = setting.split(":")
        total, unit = float(rows.positive.sum() + rows.negative.sum()), min(1.0, weight_unit(rows))
        if kind == "plain":
            return Objective(rows, float(numbers[0]) * unit / total if numbers else noise_price(rows, 0.0))
        guess, unseen = mixture(rows, [self.guess(letter, rows) for letter in kind]), unseen_share(rows.features)
        least, noisy = noise_price(rows, 0.0), noise_price(rows, unseen * left_out_errors(rows, guess))
        belief, noise = numbers[:2]
        examples = (rows.positive + rows.negative) / unit
        part = float(belief[1:]) / (float(belief[1:]) + examples) if belief[0] == "s" else float(belief)
        objective = Objective(believed(rows, guess, part * unseen), least + float(noise) * (noisy - least))
        return self.with_made_up(objective, rows, float(numbers[2])) if len(numbers) > 2 else objective

    def with_made_up(self, objective, rows, share):
        """The objective on rows and on crossings of near ones besides, which weigh a share of all rows."""
        if self.constants is None:
            return objective
        generator, count = np.random.default_rng(5), len(rows.features)
        distance = -np.log(nearness(rows.features, rows.features, 1.0))
        np.fill_diagonal(distance, np.inf)
        near = np.argsort(distance, axis=1, kind="stable")[:, :NEAR]
        first = generator.integers(0, count, MADE * count)
        second = near[first, generator.integers(0, near.shape[1], MADE * count)]
        mask = generator.random((MADE * count, rows.features.shape[1])) < 0.5
        made = np.unique(np.where(mask, rows.features[first], rows.features[second]), axis=0)
        known = {row.tobytes() for row in rows.features}
        made = made[[row.tobytes() not in known for row in made]]
        if not len(made):
            return objective
        matrix, target, mean = kernel_system(rows, *self.constants)
        used = varying(rows)
        close = nearness(made[:, used], rows.features[:, used], self.constants[0])
        chance = as_chance(close @ np.linalg.solve(matrix, target) + mean)
        weight = share * float(rows.positive.sum() + rows.negative.sum()) / len(made)
        old = objective.rows
        return Objective(
            DistinctRows(
                np.concatenate([old.features, made]),
                np.concatenate([old.positive, weight * chance]),
                np.concatenate([old.negative, weight * (1 - chance)]),
                True,
            ),
            objective.price / (1 + share),
        )

    def learned(self, setting):
        """What quick models of the folds and full models of all rows make of rows they were not shown."""
        if setting in self.found:
            return
        predicted, lengths, inside = [], [], []
        for place, (train, held) in enumerate(self.folds):
            how = SearchOptions(effort=learning._QUICK, random_state=place)
            models = models_by_size(self.objective(setting, train), feature_names(train), MOST, how)
            predicted.append(np.array([holds(model, held.features) for model in models]))
            lengths.append([model.literal_count for model in models])
            inside.append([error_share(train, model) for model in models])
        wrong = []
        for size in SIZES:
            objective = self.objective(setting, self.rows)
            how = SearchOptions(price=objective.price, tune=False)
            model = search(objective.rows, feature_names(self.rows), size, options=how).model
            wrong.append(holds(model, np.asarray(self.test, dtype=bool)) != self.truth)
        self.found[setting] = (
            np.concatenate(predicted, axis=1),
            np.mean(lengths, axis=0),
            np.mean(inside, axis=0),
            np.array(wrong),
        )
        self.path.write_bytes(pickle.dumps(self.found))


class Outcome:
    """What a file holds, as rules see it."""

    def __init__(self, case):
        held = [each for _, each in case.folds]
        self.found = case.found
        self.positive, self.negative = (
            np.concatenate([getattr(each, side) for each in held]) for side in ("positive", "negative")
        )
        self.weight = self.positive + self.negative
        self.examples = learning._example_count(case.rows)

    def held_out(self, setting, size):
        """Predictions on held-out rows, their share of errors, literals, and the share of errors in training."""
        predicted, lengths, inside, _ = self.found[setting]
        chosen = predicted[size - 1]
        errors = np.where(chosen, self.negative, self.positive).sum() / self.weight.sum()
        return chosen, errors, lengths[size - 1], inside[size - 1]

    def wrong(self, setting, size):
        return self.found[setting][3][SIZES.index(size)]

    def accuracy(self, setting, size):
        return 100 * (1 - self.wrong(setting, size).mean())


def places(settings, k):
    return [(setting, size) for setting in settings for size in range(2, k + 1)]


def least_place(settings, fraction, inside=0.2, pooled=0.0):
    """The setting and size of the shortest models within a fraction of a standard error of the least error.

    `inside` is the part of the error in training; `pooled` how far errors are drawn to those of their size and setting.
    """

    def rule(outcome, k):
        tried = places(settings, k)
        predicted, errors, lengths, training = zip(*(outcome.held_out(*place) for place in tried), strict=True)
        errors = (1 - inside) * np.array(errors) + inside * np.array(training)
        grid = errors.reshape(len(settings), -1)
        sums = grid.mean(axis=0) + grid.mean(axis=1, keepdims=True) - grid.mean()
        errors = ((1 - pooled) * grid + pooled * sums).ravel()
        best = predicted[int(errors.argmin())]
        differ = np.array([(each != best) @ outcome.weight for each in predicted]) / outcome.weight.sum()
        more = errors - errors.min()
        good = np.flatnonzero(more <= fraction * np.sqrt(np.maximum(differ - more**2, 0) / outcome.examples) + 1e-12)
        return tried[min(good, key=lambda place: (lengths[place], errors[place], place))]

    return rule


def least(*how, **further):
    """The accuracy of what :func:`least_place` takes."""
    rule = least_place(*how, **further)
    return lambda outcome, k: outcome.accuracy(*rule(outcome, k))


def unless(first, second, clearly):
    """The first setting, unless the second errs so many standard errors of the difference less."""

    def rule(outcome, k):
        chosen = []
        for setting in (first, second):
            size = least_place([setting], 0.5)(outcome, k)[1]
            predicted, errors, _, training = outcome.held_out(setting, size)
            chosen.append(((setting, size), predicted, 0.8 * errors + 0.2 * training))
        (one, said, wrong), (other, denied, less) = chosen
        differ = (said != denied) @ outcome.weight / outcome.weight.sum()
        margin = clearly * np.sqrt(max(differ - (wrong - less) ** 2, 0) / outcome.examples)
        return outcome.accuracy(*(other if wrong - less > max(margin, 1e-12) else one))

    return rule


def all_of_k(setting):
    return lambda outcome, k: outcome.accuracy(setting, k)


def hindsight(settings):
    """The best on the test rows."""
    return lambda outcome, k: max(outcome.accuracy(*place) for place in places(settings, k))


def half_hindsight(settings):
    """The best on each half of the test rows, on the other half: what an honest choice with more data would give."""

    def rule(outcome, k):
        wrong = np.array([outcome.wrong(*place) for place in places(settings, k)])
        count = wrong.shape[1]
        half = np.random.default_rng(0).permutation(count) < count // 2
        first, second = (wrong[:, part].mean(axis=1).argmin() for part in (half, ~half))
        return 100 * (1 - (wrong[first][~half].mean() + wrong[second][half].mean()) / 2)

    return rule


def vote(settings):
    """What most models of size k say; it has no short reasons."""

    def rule(outcome, k):
        share = np.mean([outcome.wrong(setting, k) for setting in settings], axis=0)
        return 100 * (1 - np.mean((share > 0.5) + 0.5 * (share == 0.5)))

    return rule


PLAIN, BEFORE, GUESS = "plain", "VL:0.75:1", "VL:s3:1"
ALL = (PLAIN, BEFORE, GUESS, "VLK:s3:1", "VLK:s3:0.3", "VLK:s1:0.3", "VLK:s10:1")
RULES = {
    "three quarters of every label, within 0.25": least([PLAIN, BEFORE], 0.25, 0.0),
    "the same, by the error expected with all rows, within 0.5": least([PLAIN, BEFORE], 0.5),
    "guesses count as three examples, within 0.25": least([PLAIN, GUESS], 0.25, 0.0),
    "**the same, by the error expected with all rows, within 0.5**": least([PLAIN, GUESS], 0.5),
    "within 0.35": least([PLAIN, GUESS], 0.35),
    "within 0.25": least([PLAIN, GUESS], 0.25),
    "within 0": least([PLAIN, GUESS], 0.0),
    "errors drawn half to those of their size and objective": least([PLAIN, GUESS], 0.5, pooled=0.5),
    "errors drawn wholly to them": least([PLAIN, GUESS], 0.5, pooled=1.0),
    "twice as much of the error in training": least([PLAIN, GUESS], 0.5, 0.4),
    "with the kernel machine": least([PLAIN, "VLK:s3:1"], 0.25, 0.0),
    "with it, at 0.3 times the price of noise": least([PLAIN, "VLK:s3:0.3"], 0.25, 0.0),
    "with it, a guess counting as one example": least([PLAIN, "VLK:s1:0.3"], 0.25, 0.0),
    "with it, a guess counting as ten": least([PLAIN, "VLK:s10:1"], 0.25, 0.0),
    "all seven objectives": least(ALL, 0.25, 0.0),
    "plain at a price of 0.25 examples": least(["plain:0.25", GUESS], 0.5),
    "plain at a price of 0.6 examples": least(["plain:0.6", GUESS], 0.5),
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


def table(folder, fewest):
    parts = ("try", "decide", "concepts")
    print("| rule | splits to try | splits to decide | concepts |\n| --- | --- | --- | --- |")
    outcomes = {part: [(name, Outcome(Case(folder, name, split))) for name, split in cells(part)] for part in parts}
    outcomes = {
        part: [(name, each) for name, each in found if each.found[PLAIN][3].shape[1] >= fewest]
        for part, found in outcomes.items()
    }
    first = {}
    for label, rule in RULES.items():
        print("|", label, end=" |")
        for part in parts:
            try:
                found = [(name, [rule(outcome, k) for k in SIZES]) for name, outcome in outcomes[part]]
            except KeyError:
                print(" |", end="")
                continue
            means = np.array([np.mean([line for each, line in found if each == name], axis=0) for name in dict(found)])
            difference = (means - first.setdefault(part, means)).mean(axis=1)
            error = difference.std() / np.sqrt(len(means))
            figures = " / ".join(f"{mean:.2f}" for mean in means.mean(axis=0))
            print(f" {figures} ({difference.mean():+.2f} ± {error:.2f})", end=" |")
        print(flush=True)


def teachers(folder):
    """The mean squared distance of guesses to the labels they were not shown, times 100, on split 0."""
    from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

    boosting = {"max_iter": 60, "max_leaf_nodes": 6, "min_samples_leaf": 5}
    found = []
    for name in names("choosing"):
        case = Case(folder, name, 0)
        rows = case.rows
        guesses = {letter: case.guess(letter, rows) for letter in "VLK"}
        guesses["random forest"] = left_out(rows, lambda: RandomForestClassifier(random_state=0))
        guesses["boosting"] = left_out(rows, lambda: HistGradientBoostingClassifier(**boosting))
        for some in (("V", "L"), ("V", "L", "K"), ("V", "L", "boosting")):
            guesses["+".join(some)] = mixture(rows, [guesses[each] for each in some])
        weight = (rows.positive + rows.negative).sum() / 100
        found.append([squared_distance(rows, np.nan_to_num(guess, nan=0.5)) / weight for guess in guesses.values()])
    for label, value in zip(guesses, np.mean(found, axis=0), strict=True):
        print(f"{label}: {value:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("part", nargs="?", choices=("try", "decide", "concepts"), default="try")
    parser.add_argument("settings", nargs="*")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--teachers", action="store_true")
    parser.add_argument("--fewest", type=int, default=0, help="test rows that a data set in the table has at least")
    parser.add_argument("--folds", type=int, help="in place of five, drawn once")
    parser.add_argument("--effort", type=float, help="of search in the folds")
    options = parser.parse_args()
    if options.folds:
        learning.FOLDS, learning._REPEATS = options.folds, 1
    learning._QUICK = options.effort or learning._QUICK
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.table:
        table(options.folder, options.fewest)
    elif options.teachers:
        teachers(options.folder)
    else:
        for name, split in cells(options.part):
            case = Case(options.folder, name, split)
            for setting in options.settings:
                case.learned(setting)
