import hashlib
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from tests.paper_files import paper_file

from idnf.datasets import loading as datasets
from idnf.datasets.loading import cache_folder

# Numbers of examples and features in the paper's Table 1; its monks are the train parts.
TABLE_1 = {
    "balance-scale": (625, 16),
    "banknote": (1372, 28),
    "car-evaluation": (1728, 14),
    "compas": (6167, 25),
    "indians-diabetes": (768, 43),
    "iris": (150, 12),
    "lymph": (148, 68),
    "monks-1": (124, 11),
    "monks-2": (169, 11),
    "monks-3": (122, 11),
    "tic-tac-toe": (958, 27),
}
GENERATED = ["balance-scale", "tic-tac-toe", "monks-1.test", "monks-2.test", "monks-3.test"]


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture
def server(tmp_path):
    """A folder served on loopback, and its URL."""
    folder = tmp_path / "served"
    folder.mkdir()
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder)))
    thread = threading.Thread(target=httpd.serve_forever)
    thread.start()
    yield folder, f"http://127.0.0.1:{httpd.server_address[1]}/"
    httpd.shutdown()
    thread.join()
    httpd.server_close()


@pytest.fixture
def away(monkeypatch, tmp_path):
    """No folder of the user's, an empty cache."""
    monkeypatch.delenv("IDNF_DATA", raising=False)
    monkeypatch.setattr(datasets, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def publish(monkeypatch, server, key, content, *, is_monks=False, sha256=None):
    folder, url = server
    (folder / key).write_bytes(content)
    kept = datasets._encoded_monks(content) if is_monks else content
    expected = sha256 or hashlib.sha256(kept).hexdigest()
    monkeypatch.setitem(datasets._FILES, key, datasets._File(url + key, expected, is_monks))


IRIS = b"1 0 0 0 0 0 0 0 0 0 0 0 1\n0 1 1 1 1 1 1 1 1 1 1 1 1\n"


@pytest.mark.parametrize("name", TABLE_1)
def test_sizes_are_those_of_table_1(name):
    if name not in GENERATED:
        paper_file(f"{name}.train" if name.startswith("monks") else name)
    X, y = datasets.load(name, part="train" if name.startswith("monks") else None)
    assert X.shape == TABLE_1[name]
    assert (X.dtype, y.dtype) == (np.bool_, np.int8)
    assert set(y) == {0, 1}
    assert len(datasets.feature_names(name)) == X.shape[1]


@pytest.mark.parametrize("name", GENERATED)
def test_generated_examples_are_those_of_the_paper_in_the_same_order(name):
    stored = np.loadtxt(paper_file(name), dtype=np.int8)
    X, y = datasets.load(*name.split(".")[:1], part="test" if name.endswith(".test") else None)
    np.testing.assert_array_equal(X, stored[:, 1:])
    np.testing.assert_array_equal(y, stored[:, 0])


def test_monks_parts_together_are_train_then_test():
    paper_file("monks-2.train")
    X, y = datasets.load("monks-2")
    assert len(X) == 169 + 432
    np.testing.assert_array_equal(y[169:], datasets.load("monks-2", part="test")[1])


def test_readable_features_say_what_they_hold():
    X, y = datasets.load("tic-tac-toe")
    names = datasets.feature_names("tic-tac-toe")
    diagonal = [names.index(f"{square} = x") for square in ("top-left", "middle-middle", "bottom-right")]
    assert X[:, diagonal].all(axis=1).any()
    assert y[X[:, diagonal].all(axis=1)].all()
    X, y = datasets.load("balance-scale")
    lightest = [
        datasets.feature_names("balance-scale").index(f"{column} <= 1") for column in ("left weight", "right weight")
    ]
    same_distance = (X[:, 4:8] == X[:, 12:16]).all(axis=1)
    assert not y[X[:, lightest].all(axis=1) & same_distance].any()


def test_raw_monks_are_encoded_as_the_paper_does():
    raw = b" 1 1 1 1 1 3 1 data_5\n 0 3 2 2 3 4 2 data_400\n\n"
    assert datasets._encoded_monks(raw) == b"1 1 1 1 1 0 1 1 0 0 1 0\n0 0 0 0 1 1 0 0 0 0 0 1\n"


@pytest.mark.parametrize("subfolder", ["", "paper"])
def test_the_users_folder_comes_first(monkeypatch, away, tmp_path, subfolder):
    own = tmp_path / "own"
    (own / subfolder).mkdir(parents=True)
    (own / subfolder / "iris.dl8").write_bytes(IRIS)
    monkeypatch.setenv("IDNF_DATA", str(own))
    monkeypatch.setitem(datasets._FILES, "iris", datasets._File("http://no.invalid/", hashlib.sha256(IRIS).hexdigest()))
    X, y = datasets.load("iris")
    assert y.tolist() == [1, 0]
    assert X.sum(axis=1).tolist() == [1, 12]
    assert not away.exists()


def test_a_download_is_kept_and_reports_progress(monkeypatch, away, server):
    publish(monkeypatch, server, "iris", IRIS)
    seen = []
    X, _ = datasets.load("iris", progress=lambda received, expected: seen.append((received, expected)))
    assert X.shape == (2, 12)
    assert seen[-1] == (len(IRIS), len(IRIS))
    assert [path.name for path in away.iterdir()] == ["iris.dl8"]
    (server[0] / "iris").unlink()
    np.testing.assert_array_equal(datasets.load("iris")[0], X)


def test_raw_monks_are_encoded_on_the_way_into_the_cache(monkeypatch, away, server):
    raw = b" 1 1 1 1 1 3 1 data_5\n 0 3 2 2 3 4 2 data_400\n"
    publish(monkeypatch, server, "monks-3.train", raw, is_monks=True)
    X, y = datasets.load("monks-3", part="train")
    assert (X.shape, y.tolist()) == ((2, 11), [1, 0])
    assert (away / "monks-3.train.dl8").read_bytes() == datasets._encoded_monks(raw)


def test_a_download_with_another_sum_is_refused_and_not_kept(monkeypatch, away, server):
    publish(monkeypatch, server, "iris", IRIS, sha256="0" * 64)
    with pytest.raises(ValueError, match=r"/iris must hold the paper's iris\.dl8; its SHA-256 sum differs"):
        datasets.load("iris")
    assert not away.exists()


def test_a_damaged_file_is_named(away):
    away.mkdir()
    (away / "iris.dl8").write_bytes(IRIS[:-1])
    with pytest.raises(ValueError, match=r"iris\.dl8 must be the paper's iris\.dl8; .* Remove or replace it"):
        datasets.load("iris")


@pytest.mark.usefixtures("away")
def test_a_missing_page_names_the_url_and_the_way_out(monkeypatch, server):
    publish(monkeypatch, server, "iris", IRIS)
    (server[0] / "iris").unlink()
    with pytest.raises(
        OSError, match=r"cannot download http://127.*/iris: .*[Nn]ot [Ff]ound.*folder named by IDNF_DATA"
    ):
        datasets.load("iris")


@pytest.mark.usefixtures("away")
def test_no_network_names_the_url_and_the_way_out(monkeypatch):
    # A port that a server has just let go of refuses connections.
    closed = ThreadingHTTPServer(("127.0.0.1", 0), QuietHandler)
    port = closed.server_address[1]
    closed.server_close()
    monkeypatch.setitem(datasets._FILES, "iris", datasets._File(f"http://127.0.0.1:{port}/iris", "0" * 64))
    with pytest.raises(
        OSError, match=r"cannot download http://127.*refused.* put iris\.dl8 into a folder named by IDNF_DATA"
    ):
        datasets.load("iris")


def test_an_unknown_name_lists_the_known():
    with pytest.raises(
        ValueError,
        match="name must be one of balance-scale, banknote.*loans, wine, wine-three; got 'irish'",
    ):
        datasets.load("irish")
    with pytest.raises(ValueError, match="name must be one of balance-scale, .*tic-tac-toe; got 'wine'"):
        datasets.feature_names("wine")


def test_parts_are_for_the_monks():
    with pytest.raises(ValueError, match="part must be None for 'iris', only the monks come in parts; got 'test'"):
        datasets.load("iris", part="test")
    with pytest.raises(ValueError, match="part must be 'train', 'test' or None; got 'both'"):
        datasets.load("monks-1", part="both")


def test_tables_have_readable_columns():
    pytest.importorskip("pandas")
    X, y = datasets.load("breast-cancer")
    assert X.shape == (569, 30)
    assert "mean radius" in X.columns
    assert y.value_counts().to_dict() == {"benign": 357, "malignant": 212}
    X, y = datasets.load("wine")
    assert y.value_counts().to_dict() == {"another": 119, "cultivar 1": 59}


def test_a_table_without_pandas_names_the_extra(monkeypatch):
    monkeypatch.setattr(datasets, "find_spec", {}.get)
    with pytest.raises(ImportError, match=r"wine is a table and needs pandas: pip install 'idnf\[pandas\]'"):
        datasets.load("wine")


@pytest.mark.parametrize(
    ("platform", "variable", "end"),
    [("linux", "XDG_CACHE_HOME", "idnf"), ("win32", "LOCALAPPDATA", "idnf"), ("darwin", "HOME", "Library/Caches/idnf")],
)
def test_the_cache_is_where_the_platform_keeps_caches(monkeypatch, tmp_path, platform, variable, end):
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setenv(variable, str(tmp_path))
    assert cache_folder() == tmp_path / end


def test_loans_are_generated_with_mixed_types_and_missing_values():
    X, y = datasets.load("loans")
    assert set(y) == {"approved", "declined"}
    assert X.isna().any().any()
    assert len({str(dtype) for dtype in X.dtypes}) > 3


def test_tables_of_several_classes():
    pytest.importorskip("pandas")
    sizes = {"balance-scale-three": (625, 4, 3), "digits": (1797, 64, 10), "iris-three": (150, 4, 3)}
    for name, (rows, columns, classes) in (sizes | {"wine-three": (178, 13, 3)}).items():
        X, y = datasets.load(name)
        assert X.shape == (rows, columns)
        assert y.nunique() == classes
    scales, tips = datasets.load("balance-scale-three")
    assert (tips == "balanced").sum() == 49
    assert tips[scales["right weight"].mul(scales["right distance"]) == 25].tolist() == ["right"] * 24 + ["balanced"]
