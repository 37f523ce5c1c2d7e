"""Model files changed at random: a model that keeps its promises, or a clear error."""

from __future__ import annotations

import random
import re

from tests.adversary.tally import count
from tests.exporting.cases import random_case, several_case, wide_case
from tests.exporting.mutations import mutated
from tests.exporting.test_model_json import read_or_refused

from idnf.exporting import documents, json_text
from idnf.exporting.model_json import from_document


def test_a_changed_file_is_a_proved_model_or_a_clear_error(rounds) -> None:
    two, several = [random_case(seed, 20) for seed in range(300, 330)], [several_case(seed, 20) for seed in range(8)]
    texts = [json_text(case.clf) for case in (*two, *several, wide_case(20))]
    for i in rounds(100, 20_000):
        data = mutated(texts[i % len(texts)], random.Random(i))
        clf, message = read_or_refused(data)
        if clf is None:
            assert re.search(r" must | is ", message), message
            count("changed model files: refused with a clear error")
            continue
        clf.verify()
        assert json_text(from_document(documents.parse_document(json_text(clf).encode()))) == json_text(clf)
        count("changed model files: read, proved anew and written as they are")
