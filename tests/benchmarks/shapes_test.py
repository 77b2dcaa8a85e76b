"""The networks of different depths and widths."""

from allennlp.common import Params

from benchmarks.shapes import SHAPES, network
from tests import ROOT


def test_the_shapes_of_the_shipped_models_are_those_of_their_configs():
    files = {name: "x" for name in ("LISA_CORPUS", "LISA_VECTORS", "LISA_SILVER")}
    variables = {**files, "LISA_DATA": "ewt", "LISA_ELMO": "", "LISA_TRANSFORMER": ""}
    for name, config in ("english", "silver"), ("english-fast", "silver_fast"):
        path = ROOT / f"training_configs/english/{config}.jsonnet"
        found = Params.from_file(str(path), ext_vars=variables).as_flat_dict()
        own = network(*SHAPES[name])
        assert {key: found[key] for key in own} == own
