import os
from pathlib import Path

from hypothesis import settings

from lisa_allennlp.common.threads import set_passive_waiting, set_thread_numbers

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures"

# How long an example takes says more about the machine than about the code.
settings.register_profile("lisa", deadline=None, max_examples=25)
# That of make test-all.
settings.register_profile("thorough", deadline=None, max_examples=200)
settings.load_profile("lisa")

# Here, since no test's module has loaded PyTorch yet.
set_passive_waiting()
set_thread_numbers()

# Before tqdm is imported: the bars of one test would be printed into another's standard error when
# they are collected as garbage.
os.environ["TQDM_DISABLE"] = "1"
