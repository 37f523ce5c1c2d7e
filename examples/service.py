"""A service that gives the reason with every decision: FastAPI, one model file, one address.

``python examples/service.py`` starts it on the loopback address, sends it two applicants and stops. To keep it running:
``uvicorn service:app --factory`` in this folder.
"""

from __future__ import annotations

import json
import os
import socket
import tempfile
import threading
import time
from urllib.request import Request, urlopen

import pandas as pd
import uvicorn
from fastapi import FastAPI, HTTPException

from idnf import DNFClassifier, exporting


def app(model: str | None = None) -> FastAPI:
    """Return the service of a model file: the one given, or the one that the variable IDNF_MODEL names."""
    classifier = exporting.from_json(model or os.environ["IDNF_MODEL"])
    service = FastAPI(title="Decisions with reasons")

    @service.get("/model")
    def about() -> dict[str, object]:
        """Say what the model is: its classes, its bound, and all of it in words."""
        return {"classes": classifier.classes_.tolist(), "k": classifier.k, "text": classifier.to_text()}

    @service.post("/decide")
    def decide(rows: list[dict[str, object]]) -> list[dict[str, object]]:
        """Decide some rows; each answer has the label, its reason, and what would change it."""
        try:
            return [dict(one) for one in exporting.decisions(classifier, pd.DataFrame(rows))]
        except ValueError as error:
            raise HTTPException(status_code=422, detail=str(error)) from error

    return service


def main() -> None:
    """Start the service, ask it, and stop it."""
    policy = DNFClassifier.from_dnf(
        "~'income <= 35' & ~late | guarantor",
        columns={"income": [35], "late": bool, "guarantor": bool},
        classes=("declined", "approved"),
    )
    with tempfile.TemporaryDirectory() as folder:
        exporting.to_json(policy, f"{folder}/model.json")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        settings = uvicorn.Config(app(f"{folder}/model.json"), host="127.0.0.1", port=port, log_level="error")
        server = uvicorn.Server(settings)
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        rows = [{"income": 31, "late": True, "guarantor": False}, {"income": 50, "late": False, "guarantor": False}]
        asked = Request(
            f"http://127.0.0.1:{port}/decide", json.dumps(rows).encode(), {"Content-Type": "application/json"}
        )
        with urlopen(asked) as answer:
            for decision in json.load(answer):
                print(decision["label"])
                print(f"  reason {decision['reason_id']}: {decision['reason']}")
                print(f"  would change with: {' and '.join(decision['change'])}")
        server.should_exit = True
        thread.join()


if __name__ == "__main__":
    main()
