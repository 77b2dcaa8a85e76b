from pathlib import Path

from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures"

# How long an example takes says more about the machine than about the code.
settings.register_profile("lisa", deadline=None)
settings.load_profile("lisa")
