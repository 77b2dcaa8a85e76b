"""Measurements of speed, memory and accuracy. Run each with `python -m benchmarks.NAME`."""

from lisa_allennlp.common.threads import set_passive_waiting, set_thread_numbers

set_passive_waiting()
set_thread_numbers()
