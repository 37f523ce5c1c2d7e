"""Fits on a Spark cluster of two executor processes and kills one of them on the way; writes the models as JSON."""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

from pyspark.sql import SparkSession

from idnf import DNFClassifier

MARK, KILLED = f"-Didnf.test={os.getpid()}", []


def executors():
    """Return the process ids of the executors this process's cluster started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = status.read_bytes().decode(errors="replace").split("\0")
        except OSError:  # a process that has ended since it was listed
            continue
        if "org.apache.spark.executor.CoarseGrainedExecutorBackend" in command and MARK in " ".join(command):
            found.append(int(status.parent.name))
    return sorted(found)


def kill_one(after):
    time.sleep(after)
    KILLED.extend(executors()[:1])
    for process in KILLED:
        os.kill(process, signal.SIGKILL)


def fitted(table):
    start = time.monotonic()
    clf = DNFClassifier(k=2, family="nested", learner="greedy").fit(table, "risk")
    return str(clf.double_dnf_.positive), clf.objective_, time.monotonic() - start


def main(path, report):
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.executor.extraJavaOptions", MARK)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    table = session.read.parquet(path)
    undisturbed = fitted(table)
    started = executors()
    killer = threading.Thread(target=kill_one, args=[undisturbed[2] / 3])
    killer.start()
    disturbed = fitted(table)
    killer.join()
    session.stop()
    found = {"executors": len(started), "killed": len(KILLED), "models": [undisturbed[:2], disturbed[:2]]}
    Path(report).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
