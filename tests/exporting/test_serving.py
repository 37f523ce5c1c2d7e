"""Decisions where they are served: a service over HTTP on the loopback address."""

from __future__ import annotations

import importlib
import socket
import sys
import threading
import time
from pathlib import Path

import httpx
import pandas as pd
import pytest
import uvicorn

from idnf import DNFClassifier, exporting

ROWS = pd.DataFrame({"income": [31, 50, 20], "late": [True, False, False], "guarantor": [False, False, True]})


@pytest.fixture
def policy() -> DNFClassifier:
    return DNFClassifier.from_dnf(
        "~'income <= 35' & ~late | guarantor",
        columns={"income": [35], "late": bool, "guarantor": bool},
        classes=("declined", "approved"),
    )


def test_the_service_gives_the_reason_with_the_decision(
    policy: DNFClassifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "examples")
    service = importlib.import_module("service")
    exporting.to_json(policy, tmp_path / "model.json")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(service.app(str(tmp_path / "model.json")), host="127.0.0.1", port=port, log_level="error")
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        for _ in range(500):
            if server.started:
                break
            time.sleep(0.02)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
            about = client.get("/model").json()
            answer = client.post("/decide", json=ROWS.to_dict("records")).json()
            refused = client.post("/decide", json=[{"income": 3}])
            large = [client.post("/decide", json=rows) for rows in ([{"a": "x" * 2_000_000}], [{"a": "x" * 20_000}])]
            wide = client.post("/decide", json=[{str(place): 1 for place in range(1_001)}])
    finally:
        server.should_exit = True
        thread.join()
    sys.modules.pop("service")
    assert about["classes"] == ["declined", "approved"]
    assert answer == [dict(one) for one in exporting.decisions(policy, ROWS)]
    assert refused.status_code == 422
    assert "late" in refused.json()["detail"]
    for answer, what in zip([*large, wide], ("BYTES", "SIGNS", "COLUMNS"), strict=True):
        assert answer.status_code == 413
        assert f"IDNF_MOST_{what} raises that" in answer.json()["detail"]
