"""The query for Spark in docs/find.md, run by Spark on this machine, against DuckDB's counts."""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from lisa_allennlp.apps.find import Corpus, Question
from tests import ROOT
from tests.apps.find.tables import SALES, write_parquet

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
]


def test_the_documented_query_counts_what_lisa_find_counts(tmp_path: Path) -> None:
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is missing")
    write_parquet(tmp_path / "labelled" / "events" / "shard.parquet", SALES)
    page = (ROOT / "docs/find.md").read_text(encoding="utf-8")
    (query,) = re.findall(r"```text\n(SELECT [^`]*`labelled/events`[^`]*)```", page)
    query = query.replace("labelled/", f"{tmp_path}/labelled/").replace("return.02", "sell.01")
    found: Counter = Counter()
    spark = sql.SparkSession.builder.master("local[1]").getOrCreate()
    try:
        for row in spark.sql(query).collect():
            # `lisa find` counts a head in any case.
            found[row["head"].lower()] += row["number"]
    finally:
        spark.stop()
    counts = Corpus(tmp_path / "labelled").count(Question(["sell.01"], asked=["ARG1"]))
    assert found == {count.heads[0].lower(): count.number for count in counts}
