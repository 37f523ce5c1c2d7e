"""Settings of the objective, and rules that choose one: what each is worth on the data to choose on.

    python experiments/searching.py guesses FOLDER --part try --settings plain VL:s3:1   learn, a file for each cell
    python experiments/searching.py guesses FOLDER --table                                compare rules on what is there
    python experiments/searching.py guesses FOLDER --teachers                             compare the guesses themselves

Three rounds, each with rules of its own. "rules" came first, on 24 data sets drawn at random; "choices" on split 0 to
try and splits 1 to 3 to decide; "guesses" tries settings on the first splits and decides on others, data sets with
fewer than 300 test rows having more of them, and asks the same of concepts, which are generated without wrong labels.
In a cell, quick models of the folds are tried on rows held out and full ones on the test rows; rules are then compared
without learning anything anew.

A setting is "plain", "plain:0.25" (a literal costs so many examples), or like "VL:s3:1": whose guesses (V votes of
trees, L logistic regression, K a kernel machine; of several, the mixture nearest to the labels), how many examples a
guess counts for beside those of its row (or, without the s, its part of every label), and the factor on the price of
noise. "VLK:s3:0.3:1" adds made-up examples of the weight of all examples, labelled by the kernel machine. In the first
round F stands for the votes of a forest, and "F:0.5:1:1" adds crossings of a row with one of its five nearest, labelled
by the forest (Bucila, Caruana, Niculescu-Mizil, Model Compression, KDD 2006). "tree:plain" is a look-ahead tree.
"""

import pickle
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from collection import division
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier

from idnf.counting.contract import DistinctRows
from idnf.counting.packed import PackedTable
from idnf.learning import path as learning
from idnf.learning.label_noise import (
    TREES,
    believed,
    left_out_chances,
    left_out_errors,
    left_out_votes,
    unseen_share,
    voters,
)
from idnf.learning.local.quick_search import models_by_size
from idnf.learning.local.search import search
from idnf.learning.lookahead import lookahead_trees
from idnf.learning.objective import Objective, error_share, holds, noise_price
from idnf.learning.task import LearningTask

BOUNDS, MOST = (2, 3, 4), 4
# Test rows below which a data set has more splits; splits of small and of large ones.
FEW = 300
SPLITS = {"try": ((0, 1, 2), (0,)), "decide": ((3, 4, 5, 6, 7), (1, 2))}
# Widths and penalties of the kernel machine, of which the best on rows left out are taken.
WIDTHS, PENALTIES = (0.1, 0.3, 1.0), (0.1, 0.5, 2.0)
MOST_KERNEL = 3500
# Neighbours that made-up examples are crossed with, and how many are made for each row; the same of the first round.
NEAR, MADE = 10, 3
NEAR_FOREST, MADE_FOREST = 5, 2


@dataclass(frozen=True)
class Round:
    """Efforts in the folds and on all rows; whether folds are drawn as fit draws them, and so are guesses."""

    quick: float | None
    full: float
    as_fit: bool = False


ROUNDS = {"rules": Round(0.25, 1.0), "choices": Round(0.12, 0.4), "guesses": Round(None, 1.0, as_fit=True)}


def feature_names(rows):
    return tuple(f"x{j}" for j in range(rows.features.shape[1]))


def distinct(features, target):
    """The examples as distinct rows with weights."""
    found, places = np.unique(features, axis=0, return_inverse=True)
    ones = np.bincount(places.ravel(), target, len(found))
    return DistinctRows.of_two(found, ones, np.bincount(places.ravel(), minlength=len(found)) - ones, True)


def drawn_folds(target, generator):
    """The fold of each example, class by class in equal parts."""
    folds = np.empty(len(target), dtype=int)
    for value in (False, True):
        places = np.flatnonzero(target == value)
        folds[generator.permutation(places)] = np.arange(len(places)) % 5
    return folds


def crossed(features, generator):
    """Every row crossed with near ones, several times."""
    values = features.astype(np.float32)
    sums = values.sum(axis=1)
    distances = sums[:, None] + sums[None] - 2 * values @ values.T + 0.1 * generator.random((len(sums), len(sums)))
    np.fill_diagonal(distances, np.inf)
    near = np.argpartition(distances, NEAR_FOREST, axis=1)[:, :NEAR_FOREST]
    made = []
    for _ in range(MADE_FOREST):
        other = features[near[np.arange(len(features)), generator.integers(0, NEAR_FOREST, len(features))]]
        made.append(np.where(generator.random(features.shape) < 0.5, other, features))
    return np.concatenate(made)


def forest_objective(features, target, belief, factor, weight=0.0, seed=0):
    """The objective of the first round: out-of-bag votes of a forest for a part of each label."""
    forest = RandomForestClassifier(50, oob_score=True, random_state=seed).fit(features, target)
    votes = forest.oob_decision_function_[:, 1]
    votes = np.where(np.isnan(votes), target, votes)
    noise = min(np.mean((votes > 0.5) != target), 0.45)
    positive, rows = (1 - belief) * target + belief * votes, features
    negative = 1 - positive
    if weight:
        extra = crossed(features, np.random.default_rng(seed))
        shares = forest.predict_proba(extra)[:, 1]
        rows = np.concatenate([features, extra])
        positive = np.concatenate([positive, weight / MADE_FOREST * shares])
        negative = np.concatenate([negative, weight / MADE_FOREST * (1 - shares)])
    found, places = np.unique(rows, axis=0, return_inverse=True)
    sums = (np.bincount(places.ravel(), side) for side in (positive, negative))
    price = (0.05 + factor * 1.2 * noise * (1 - noise) / (1 - 2 * noise)) / len(features) / (1 + weight)
    return Objective(DistinctRows.of_two(found, *sums, True), price)


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
    """A data set and a split in one of the rounds: its folds, what other models guess, and what was learned."""

    def __init__(self, kind, folder, name, split):
        self.round = ROUNDS[kind]
        self.train, self.test, self.target, self.truth = (
            np.asarray(part, dtype=bool) for part in division(name, split)
        )
        self.rows = PackedTable.from_arrays(self.train, self.target, None).distinct_rows()
        if self.round.as_fit:
            self.folds = learning._drawn_folds(self.rows, np.random.default_rng([0, 1]))
            self.examples = learning._example_count(self.rows)
        else:
            seed = split if kind == "rules" else [split, 0]
            drawn = drawn_folds(self.target, np.random.default_rng(seed))
            self.folds = [(drawn != fold, drawn == fold) for fold in range(5)]
            self.examples = len(self.target)
        self.path = folder / f"{kind}-{name.replace(' ', '_')}-{split}.pickle"
        self.found = pickle.loads(self.path.read_bytes()) if self.path.exists() else {}
        self.guesses = {}
        self.constants = None

    def held_out(self, held):
        """The features of held-out rows, and the weights of their classes."""
        if self.round.as_fit:
            return held.features, held.positive, held.negative
        target = self.target[held].astype(float)
        return self.train[held], target, 1 - target

    def guess(self, letter, rows):
        key = letter, id(rows)
        if key not in self.guesses:
            self.guesses[key] = self._guess(letter, rows), rows
        return self.guesses[key][0]

    def _guess(self, letter, rows):
        if letter == "V":
            trees = voters(len(rows.features)) if self.round.as_fit else TREES
            return left_out_votes(rows, random_state=0, trees=trees)
        if letter == "L":
            return left_out_chances(rows, unit=rows.example)
        self.constants = self.constants or kernel_constants(self.rows)
        return kernel_left_out(rows, *self.constants) if self.constants else np.full(len(rows.features), np.nan)

    def objective(self, setting, part):
        """What a setting minimises on a part of the rows: a mask of examples, or distinct rows."""
        kind, *numbers = setting.removeprefix("tree:").split(":")
        if kind == "F":
            return forest_objective(self.train[part], self.target[part], *map(float, numbers))
        rows = part if self.round.as_fit else distinct(self.train[part], self.target[part])
        total, unit = rows.total, rows.example
        if kind == "plain":
            return Objective(rows, float(numbers[0]) * unit / total if numbers else noise_price(rows, 0.0))
        guess, unseen = mixture(rows, [self.guess(letter, rows) for letter in kind]), unseen_share(rows.features)
        least, noisy = noise_price(rows, 0.0), noise_price(rows, unseen * left_out_errors(rows, guess))
        belief, noise = numbers[:2]
        examples = (rows.positive + rows.negative) / unit
        share = float(belief[1:]) / (float(belief[1:]) + examples) if belief[0] == "s" else float(belief)
        objective = Objective(believed(rows, guess, share * unseen), least + float(noise) * (noisy - least))
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
        weight = share * rows.total / len(made)
        old = objective.rows
        return Objective(
            DistinctRows.of_two(
                np.concatenate([old.features, made]),
                np.concatenate([old.positive, weight * chance]),
                np.concatenate([old.negative, weight * (1 - chance)]),
                True,
            ),
            objective.price / (1 + share),
        )

    def quick_models(self, setting, objective, fold):
        """A model of every size, found with little effort."""
        rows, sizes = objective.rows, range(1, MOST + 1)
        if setting.startswith("tree:"):
            return lookahead_trees(rows, feature_names(rows), sizes, price=objective.price)
        effort = self.round.quick or learning._QUICK
        how = LearningTask(feature_names(rows), MOST, effort=effort, random_state=fold)
        if setting[0] == "F":
            how = replace(how, price=objective.price)
            return [search(rows, replace(how, k=size)).model for size in sizes]
        return models_by_size(objective, how)

    def full_model(self, setting, objective, size):
        rows = objective.rows
        if setting.startswith("tree:"):
            return lookahead_trees(rows, feature_names(rows), [size], price=objective.price)[0]
        how = LearningTask(feature_names(rows), size, price=objective.price, effort=self.round.full)
        return search(rows, how).model

    def learned(self, setting):
        """Keep what quick models of the folds and full models of all rows make of rows they were not shown."""
        if setting in self.found:
            return
        said, lengths, inside, wrong, full = [], [], [], [], []
        for fold, (part, held) in enumerate(self.folds):
            objective = self.objective(setting, part)
            models = self.quick_models(setting, objective, fold)
            features, positive, negative = self.held_out(held)
            said.append([np.array([holds(model, features) for model in models]), positive, negative])
            lengths.append([model.literal_count for model in models])
            inside.append([error_share(part, model) for model in models] if self.round.as_fit else [0.0] * MOST)
        whole = self.rows if self.round.as_fit else np.ones(len(self.target), dtype=bool)
        objective = self.objective(setting, whole)
        for size in range(1, MOST + 1):
            model = self.full_model(setting, objective, size)
            wrong.append(holds(model, self.test) != self.truth)
            full.append(model.literal_count)
        predicted, positive, negative = (np.concatenate(parts, axis=-1) for parts in zip(*said, strict=True))
        self.found[setting] = {
            "predicted": predicted, "positive": positive, "negative": negative, "lengths": np.mean(lengths, axis=0),
            "inside": np.mean(inside, axis=0), "wrong": np.array(wrong), "full lengths": np.array(full),
        }  # fmt: skip
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(pickle.dumps(self.found))

    def held_out_figures(self, setting, size):
        """Predictions on held-out rows, their share of errors, literals, and the share of errors in training."""
        found = self.found[setting]
        chosen, weight = found["predicted"][size - 1], found["positive"] + found["negative"]
        errors = np.where(chosen, found["negative"], found["positive"]).sum() / weight.sum()
        return chosen, errors, found["lengths"][size - 1], found["inside"][size - 1]

    def weight(self, setting):
        return self.found[setting]["positive"] + self.found[setting]["negative"]

    def wrong(self, setting, size):
        return self.found[setting]["wrong"][size - 1]

    def accuracy(self, setting, size):
        return 100 * (1 - self.wrong(setting, size).mean())


def teachers(cases):
    """Print the mean squared distance of guesses to the labels they were not shown, times 100."""
    boosting = {"max_iter": 60, "max_leaf_nodes": 6, "min_samples_leaf": 5}
    found = []
    for case in cases:
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
