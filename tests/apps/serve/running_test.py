"""How the service starts and ends, as a command."""

import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, List, Tuple

import pytest

from lisa_allennlp.apps.serve.running import hold_folder
from lisa_allennlp.common.errors import ConfigurationError
from tests.apps.serve.services import Running, request_bytes, wait_for

pytestmark = pytest.mark.medium


@contextmanager
def command(*arguments: str) -> Iterator[Tuple["subprocess.Popen[str]", Running]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "lisa_allennlp", "serve", *arguments, "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        line = process.stdout.readline()
        match = re.fullmatch(r"serve: \S+ at http://127\.0\.0\.1:(\d+)/\n", line)
        assert match is not None, line + process.stderr.read()
        yield process, Running(int(match[1]))
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def children(pid: int) -> List[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


def has_ended(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def has_open_requests(served: Running, number: int) -> bool:
    # The request for this number is one more.
    return served.metric("lisa_open_requests") == number + 1


def takes_connections(served: Running) -> bool:
    try:
        served.connect().close()
    except ConnectionRefusedError:
        return False
    return True


def test_sigterm_of_the_whole_group_finishes_what_was_taken():
    many = ["She sold him the car ."] * 100
    with command("english-fast", "--processes", "2", "--drain", "1") as (process, served):
        workers = children(process.pid)
        assert len(workers) >= 2
        # A connection without a request does not delay the end.
        idle = served.connect()
        with ThreadPoolExecutor(4) as clients:
            # Until then, nothing is labelled.
            for worker in workers:
                os.kill(worker, signal.SIGSTOP)
            taken = [clients.submit(served.label, many) for _ in range(3)]
            wait_for(lambda: has_open_requests(served, 3))
            # As systemd does it.
            os.killpg(process.pid, signal.SIGTERM)
            # While it drains, it is not ready, and takes requests all the same.
            wait_for(lambda: served.ask("GET", "/ready").status == 503)
            taken.append(clients.submit(served.label, many))
            wait_for(lambda: has_open_requests(served, 4))
            assert served.ask("GET", "/health").status == 200
            wait_for(lambda: not takes_connections(served))
            for worker in workers:
                os.kill(worker, signal.SIGCONT)
            for answer in taken:
                assert answer.result().status == 200
                assert [len(a["words"]) for a in answer.result().json] == [6] * 100
        output, errors = process.communicate(timeout=30)
        assert (process.returncode, output) == (0, "")
        assert "Traceback" not in errors and "lisa: " not in errors
        wait_for(lambda: all(map(has_ended, workers)))
        idle.close()


def test_control_c_twice_ends_it_at_once():
    with command("english-fast", "--processes", "1") as (process, served):
        workers = children(process.pid)
        with served.connect() as slow:
            # Its body does not come, so the service waits.
            slow.sendall(request_bytes(b'"Go."', served.port)[:-1])
            wait_for(lambda: has_open_requests(served, 1))
            process.send_signal(signal.SIGINT)
            time.sleep(0.5)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=30) == 0
        wait_for(lambda: all(map(has_ended, workers)))


def test_one_service_saves_to_a_folder_until_it_ends(tmp_path: Path):
    corpus, folder = tmp_path / "notes.txt", tmp_path / "saved"
    corpus.write_text("It rained.")
    options = ["--corpus", str(corpus), "--save", str(folder), "--processes", "1"]
    with command("english-fast", *options) as (process, _):
        with pytest.raises(ConfigurationError, match=f"found that {folder} cannot be locked"):
            hold_folder(folder)
        workers = children(process.pid)
        try:
            for worker in workers:
                os.kill(worker, signal.SIGSTOP)
            process.kill()
            process.wait()
            assert not all(map(has_ended, workers))
            hold_folder(folder)
        finally:
            for worker in workers:
                os.kill(worker, signal.SIGKILL)


def test_users_share_a_folder_to_save_to(tmp_path: Path) -> None:
    for mode in (0o750, 0o777):
        folder = tmp_path / f"{mode:o}"
        folder.mkdir()
        folder.chmod(mode)
        hold_folder(folder)
        (lock,) = folder.iterdir()
        assert lock.stat().st_mode & 0o777 == mode & 0o666
