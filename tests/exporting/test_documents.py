"""JSON from strangers, at sizes that would hurt."""

from __future__ import annotations

import pytest

from idnf.exporting.documents import DocumentError, parse_document

SIZE = 500_000


@pytest.mark.parametrize("end", [b"", b"\\", b'"', b"}"])
@pytest.mark.parametrize("sign", [b'\\"', b'"', b"\\", b"[", b'["', b'{"a":'])
def test_a_large_document_of_one_sign_is_refused(sign, end):
    # Anything worse than linear in the size would not come back from half a million bytes.
    with pytest.raises(DocumentError):
        parse_document((b'{"format": "' + sign * SIZE)[: SIZE - len(end)] + end)
