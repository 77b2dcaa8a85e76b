import sys

import numba

from lisa_allennlp.nn.cpu.compiled_loops import can_compile, compiled


def count_up(numbers) -> None:
    for i in range(len(numbers)):
        numbers[i] += i


def test_without_numba_nothing_can_be_compiled(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "numba", None)
    can_compile.cache_clear()
    assert not can_compile()
    assert "Without Numba, dropout is several times slower" in caplog.text
    can_compile.cache_clear()
    monkeypatch.undo()
    assert can_compile()


def test_where_nothing_can_be_kept_it_is_compiled_anew(monkeypatch):
    def njit(function=None, cache=False):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return function

    monkeypatch.setattr(numba, "njit", lambda *f, **options: njit(*f, **options) or njit)
    compiled.cache_clear()
    assert compiled(count_up) is count_up
    compiled.cache_clear()
