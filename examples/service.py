"""A service that gives the reason with every decision: FastAPI, one model file, one address.

``python examples/service.py`` starts it on the loopback address, sends it two applicants and stops. To keep it running:
``uvicorn service:app --factory`` in this folder. What a request may hold is bounded; each bound is a variable of the
environment that raises it: IDNF_MOST_BYTES of a body, IDNF_MOST_CELLS, IDNF_MOST_COLUMNS, and IDNF_MOST_SIGNS of a name
or a text.
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
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from idnf import DNFClassifier, exporting

MOST = {"BYTES": 1_000_000, "CELLS": 100_000, "COLUMNS": 1_000, "SIGNS": 10_000}


def most(what: str) -> int:
    """Return how much of something a request may hold."""
    return int(os.environ.get(f"IDNF_MOST_{what}", MOST[what]))


class BoundedBody:
    """Reads the body of a request up to its bound, before anything else looks at it."""

    def __init__(self, service: ASGIApp) -> None:
        self.service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413 where the body is larger, else hand it on."""
        body, more = b"", scope["type"] == "http"
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > most("BYTES"):
                await JSONResponse({"detail": too_much("BYTES")}, 413)(scope, receive, send)
                return
        whole = [{"type": "http.request", "body": body, "more_body": False}] if scope["type"] == "http" else []

        async def replayed() -> Message:
            return whole.pop() if whole else await receive()

        await self.service(scope, replayed, send)


def too_much(what: str) -> str:
    """Say which bound a request exceeds, and how to raise it."""
    return f"a request must have at most {most(what)} {what.lower()}; this one has more. IDNF_MOST_{what} raises that."


def refuse_too_much(rows: list[dict[str, object]]) -> None:
    """Refuse rows with more cells, columns or signs than a request may hold."""
    texts = [text for row in rows for pair in row.items() for text in pair if isinstance(text, str)]
    found = {
        "CELLS": sum(map(len, rows)),
        "COLUMNS": len({name for row in rows for name in row}),
        "SIGNS": max(map(len, texts), default=0),
    }
    for what, count in found.items():
        if count > most(what):
            raise HTTPException(status_code=413, detail=too_much(what))


def app(model: str | None = None) -> FastAPI:
    """Return the service of a model file: the one given, or the one that the variable IDNF_MODEL names."""
    classifier = exporting.from_json(model or os.environ["IDNF_MODEL"])
    service = FastAPI(title="Decisions with reasons")
    service.add_middleware(BoundedBody)

    @service.get("/model")
    def about() -> dict[str, object]:
        """Say what the model is: its classes, its bound, and all of it in words."""
        return {"classes": classifier.classes_.tolist(), "k": classifier.k, "text": classifier.to_text()}

    @service.post("/decide")
    def decide(rows: list[dict[str, object]]) -> list[dict[str, object]]:
        """Decide some rows; each answer has the label, its reason, and what would change it."""
        refuse_too_much(rows)
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
