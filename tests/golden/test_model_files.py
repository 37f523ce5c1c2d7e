"""The record and the model files that are kept whole belong together."""

import json

from tests.golden.compare import MODELS, RECORD, is_kept, model_path


def test_the_record_and_the_model_files_beside_it_are_of_one_run() -> None:
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))["entries"]
    wanted = {model_path(name).name for name, parts in recorded.items() if is_kept(name) and "file" in parts}
    assert wanted == {path.name for path in MODELS.iterdir()}
