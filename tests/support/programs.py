"""
A program of ours that runs beside a test, known to be up by what it prints.
"""

import os
import queue
import re
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Program:
    """
    A running program, and what it has said so far.
    """

    process: subprocess.Popen[str]
    #: What the awaited pattern matched.
    match: re.Match[str]
    #: Every line printed so far, standard error among them.
    lines: list[str] = field(default_factory=list)


def _read(process: subprocess.Popen[str], lines: list[str], told: queue.Queue[str | None]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)
        told.put(line)
    told.put(None)


@contextmanager
def program(
    command: Sequence[str],
    until: str,
    *,
    timeout: float = 60,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Iterator[Program]:
    """
    Run ``command`` until the block ends; enter it once a line matches ``until``.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})},
        cwd=cwd,
    )
    lines: list[str] = []
    told: queue.Queue[str | None] = queue.Queue()
    reader = threading.Thread(target=_read, args=(process, lines, told))
    reader.start()
    try:
        match = None
        while match is None:
            try:
                line = told.get(timeout=timeout)
            except queue.Empty:
                line = None
            if line is None:
                message = f"{list(command)} never printed {until!r}:\n{''.join(lines)}"
                raise RuntimeError(message)
            match = re.search(until, line)
        yield Program(process=process, match=match, lines=lines)
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        reader.join()
        if process.stdout is not None:
            process.stdout.close()
