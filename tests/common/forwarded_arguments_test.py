from typing import Any

import pytest

from lisa_allennlp.common.forwarded_arguments import forwards_only


class Base:
    def __init__(self, size: int = 1, **others: Any) -> None:
        self.size = size


class Forwards(Base):
    def __init__(self, rate: float = 0.1, **options: Any) -> None:
        super().__init__(size=3, **options)
        self.rate = rate


class ForwardsInABranch(Base):
    def __init__(self, **options: Any) -> None:
        if options_are_good := True:
            super().__init__(**options)
        self.good = options_are_good


class TakesOneOut(Base):
    def __init__(self, **options: Any) -> None:
        self.rate = options.pop("rate", 0.1)
        super().__init__(**options)


class PassesThemAround(Base):
    def __init__(self, **options: Any) -> None:
        super().__init__(**dict(options))


class Drops(Base):
    def __init__(self, **options: Any) -> None:
        super().__init__()


class TakesNone(Base):
    def __init__(self, rate: float = 0.1) -> None:
        super().__init__(size=2)
        self.rate = rate


@pytest.mark.parametrize(
    "constructor, expected",
    [
        (Forwards.__init__, True),
        (ForwardsInABranch.__init__, True),
        (TakesOneOut.__init__, False),
        (PassesThemAround.__init__, False),
        (Drops.__init__, False),
        (TakesNone.__init__, False),
    ],
)
def test_what_happens_to_the_arguments(constructor: Any, expected: bool) -> None:
    assert forwards_only(constructor) is expected


def test_without_source() -> None:
    namespace: Any = {}
    exec("def make(self, **kwargs): super().__init__(**kwargs)", namespace)
    assert not forwards_only(namespace["make"])
