"""`Corpus`: the labelled events of texts, and what they answer."""

import math
import os
import threading
from collections import Counter
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from lisa_allennlp.apps.find.example import PREPOSITIONS
from lisa_allennlp.apps.find.hit import Hit
from lisa_allennlp.apps.find.index import (
    INDEX,
    KEYS,
    MEMORY,
    NUMBER,
    OWN,
    TABLE,
    is_formula,
    open_index,
    quoted,
    unreadable,
)
from lisa_allennlp.apps.find.query import Query
from lisa_allennlp.apps.find.question import ANYTHING, FILLED, SAID, Question
from lisa_allennlp.common.complete_files import complete_file
from lisa_allennlp.common.errors import ConfigurationError, did_you_mean
from lisa_allennlp.english.events.verbs import PRONOUNS
from lisa_allennlp.formats.role_tables import HEADS, OFFSETS
from lisa_allennlp.sentence.event import ASSERTED, ATTRIBUTED, DENIED, QUESTIONS
from lisa_allennlp.text.propbank_frames import packaged_inventory

OUTPUTS = {
    ".csv": "FORMAT csv, HEADER, FORCE_QUOTE *",
    ".jsonl": "FORMAT json",
    ".parquet": "FORMAT parquet, COMPRESSION zstd",
}
"""The options of DuckDB by the endings of files."""

_EXAMPLES = 2
_LISTED = 8
_NEAR = 3

_PRIOR = 500

_MOST = 2**63 - 1

_NUMBER = quoted(NUMBER)


@dataclass(frozen=True)
class Count:
    """
    How often fillers of the counted roles have these heads, and the shortest texts of the first
    role with them.
    """

    heads: Tuple[str, ...]
    number: int
    examples: List[str]


@dataclass(frozen=True)
class Salient:
    """
    How often an event is where a question looks, and in the rest of the corpus; by how many
    standard deviations it is more frequent there; and the shortest sentences with it.
    """

    event: str
    number: int
    rest: int
    score: float
    examples: List[str]


@dataclass(frozen=True)
class LeftOut:
    """
    How many events a wider question finds, which ones, and the option of `lisa find` (and parameter
    of the service) that asks it.
    """

    number: int
    text: str
    option: str
    value: str


class Corpus:
    """
    The events of a folder of `lisa annotate --table`, or of one file, `.parquet` or `.csv`. Opening
    a folder makes its index `events.duckdb` if it has none, and calls `notify` with a line before.
    Methods may be called from any thread.

    # Raises

    `ConfigurationError`
        If DuckDB is not installed, or there is no table of events; by the methods, if the table
        lacks a role, a column or a value of the question.
    """

    def __init__(
        self,
        path: Union[str, "os.PathLike[str]"],
        notify: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.path = os.fspath(path)
        self._connection = open_index(self.path, notify)
        self._lock = threading.Lock()
        names = [name for name, *_ in self._rows(f"DESCRIBE {TABLE}")]
        self.roles = [name.removesuffix(KEYS) for name in names if name.endswith(KEYS)]
        self.columns = [name for name in names if not name.endswith(OWN)]
        self._shown = ", ".join(map(quoted, self.columns))
        self._counted: Tuple[str, Dict[str, Any], int] = "", {}, 0

    def __len__(self) -> int:
        return self._rows(f"SELECT count(*) FROM {TABLE}")[0][0]

    def find(self, question: Question, limit: int = 20, offset: int = 0) -> List[Hit]:
        """Returns the events that answer a question, in the order of the corpus."""
        query = self._query(question)
        # First the rows, then their many columns.
        numbers = self._rows(
            f"SELECT {_NUMBER}, count(*) OVER () FROM {TABLE} WHERE {query.condition} "
            f"ORDER BY {_NUMBER} LIMIT $limit OFFSET $offset",
            {**query.parameters, "limit": min(limit, _MOST), "offset": min(offset, _MOST)},
        )
        if numbers:
            self._counted = query.condition, query.parameters, numbers[0][1]
        rows = self._rows(
            f"SELECT {self._shown} FROM {TABLE} WHERE {_NUMBER} IN (SELECT unnest($rows)) "
            f"ORDER BY {_NUMBER}",
            {"rows": [number for number, _ in numbers]},
        )
        return [Hit(dict(zip(self.columns, row, strict=True))) for row in rows]

    def number(self, question: Question) -> int:
        """Needs no query after `find` of the same question."""
        query = self._query(question)
        condition, parameters, number = self._counted
        if (condition, parameters) == (query.condition, query.parameters):
            return number
        return self._rows(
            f"SELECT count(*) FROM {TABLE} WHERE {query.condition}", query.parameters
        )[0][0]

    def examples(self) -> List[Tuple[str, str]]:
        """Returns the most frequent senses of what somebody does, and words that ask for it."""
        if not {"ARG0", "ARG1"} <= {*self.roles}:
            return []
        first = "split_part(ARG1, ' ', 1)"
        rows = self._rows(
            f"SELECT sense, mode(predicate ORDER BY predicate), mode({first} ORDER BY {first}) "
            f"FROM {TABLE} WHERE ARG0 IS NOT NULL AND ARG1 IS NOT NULL AND NOT negated "
            "AND factuality IN (SELECT unnest($said)) "
            "GROUP BY sense ORDER BY count(*) DESC, sense LIMIT 20",
            {"said": list(SAID["affirmed"])},
        )
        return [(s, f"WHO {verb} {(p + ' ') * (p in PREPOSITIONS)}WHAT") for s, verb, p in rows]

    def count(
        self, question: Question, roles: Sequence[str] = (), limit: Optional[int] = None
    ) -> List[Count]:
        """
        Counts the lemmas of fillers' heads in roles, by default the asked ones, most frequent
        first; or the values of other columns, such as `event` or `stars`. Several are counted
        together. Each coordinated head (`phones and tablets`) counts.
        """
        rows = self._rows(*self._counting(question, roles, limit))
        return [Count(tuple(names), number, examples) for *names, number, examples in rows]

    def weighed(self, question: Question) -> Question:
        """
        Keeps the senses in which an event answers or, without any, takes all such senses of its
        verbs.
        """
        senses = self.senses(question)
        kept = [sense for sense in question.senses if sense in senses] or [*senses]
        return replace(question, senses=kept or question.senses[:1])

    def senses(self, question: Question) -> Dict[str, int]:
        """Counts the events that answer a question in any sense of its verbs, by the sense."""
        names = question.names
        return self._by("sense", replace(question, senses=(), lemmas=names)) if names else {}

    def _by(self, column: str, question: Question) -> Dict[str, int]:
        query = self._query(question)
        sql = f"SELECT coalesce({column}, 'none'), count(*) FROM {TABLE} WHERE {query.condition}"
        return dict(self._rows(f"{sql} GROUP BY 1 ORDER BY 2 DESC, 1", query.parameters))

    def salient(self, question: Question, limit: int = 20) -> List[Salient]:
        """
        Returns the events that are most frequent where the columns have the values of a question,
        against the rest of the corpus: by the log-odds ratio with the corpus as its prior, in
        standard deviations (Monroe, Colaresi & Quinn 2008, "Fightin' Words"). Without values,
        returns the most frequent events. Events that did not happen count apart (`not work`).
        """
        said = question.factuality or (ASSERTED, ATTRIBUTED, DENIED)
        inside = replace(question, polarity="any", factuality=said)
        all_of = {name: number for name, number, _ in self._events(replace(inside, where={}))}
        rows = self._events(inside)
        total, size = sum(all_of.values()), sum(number for _, number, _ in rows)
        found = []
        for name, number, examples in rows:
            prior, rest = _PRIOR * all_of[name] / total, all_of[name] - number
            odds = [
                (n + prior) / (size_of + _PRIOR - n - prior or 1)
                for n, size_of in ((number, size), (rest, total - size))
            ]
            deviation = math.sqrt(1 / (number + prior) + 1 / (rest + prior))
            score = math.log(odds[0] / odds[1]) / deviation if total > size else float(number)
            found.append(Salient(name, number, rest, score, examples))
        return sorted(found, key=lambda one: (-one.score, one.event))[:limit]

    def _events(self, question: Question) -> List[Tuple[str, int, List[str]]]:
        query = self._query(question)
        sql = (
            "SELECT CASE WHEN negated OR factuality = 'denied' THEN 'not ' ELSE '' END || event, "
            "count(*), list_transform(min((length(text), text), $examples), lambda x: x[2]) "
            f"FROM {TABLE} WHERE {query.condition} GROUP BY 1"
        )
        return self._rows(sql, {**query.parameters, "examples": _EXAMPLES})

    def left_out(self, question: Question) -> List[LeftOut]:
        """
        Counts the answers of wider questions: in other senses, tenses and factualities and, if
        nothing answers, without each condition, or in similar senses.
        """
        number, found = self.number(question), []
        senses = {} if question.like else self.senses(question)
        others = {sense: n for sense, n in senses.items() if sense not in question.senses}
        if others:
            text = f"in other senses: {_listed(others)}"
            found.append(LeftOut(sum(others.values()), text, "sense", next(iter(others))))
        if question.where.get("tense", ANYTHING) != ANYTHING:
            wide = replace(question, where={**question.where, "tense": ANYTHING})
            more = Counter(self._by("tense", wide)) - Counter(self._by("tense", question))
            text = f"in another tense: {_listed(more)}"
            found.append(LeftOut(sum(more.values()), text, "where", f"tense={ANYTHING}"))
        if question.polarity != "any":
            # Few but asserted events have a tense.
            where = {name: value for name, value in question.where.items() if name != "tense"}
            wide = replace(question, polarity="any", factuality=(), where=where)
            taken = question.factuality or SAID[question.polarity]
            kinds = self._by("factuality", wide)
            others = {kind: n for kind, n in kinds.items() if kind not in taken}
            found.append(LeftOut(sum(others.values()), _listed(others), "polarity", "any"))
        for role, value in question.conditions.items() if number == 0 else ():
            wide = replace(question, roles={**question.roles, role: ANYTHING})
            filled = replace(wide, roles={**question.roles, role: FILLED})
            found.append(self._without("role", role, value, wide, filled))
        for name, value in question.where.items() if number == 0 else ():
            if name != "tense":
                wide = replace(question, where={**question.where, name: ANYTHING})
                found.append(self._without("where", name, value, wide, wide))
        if number == 0 and question.senses and not question.like:
            alike = self._by("sense", replace(question, like=True))
            text = f"in senses like it: {_listed(alike)}"
            found.append(LeftOut(sum(alike.values()), text, "like", "true"))
        return [one for one in found if one.number > 0]

    def _without(
        self, option: str, name: str, value: str, wide: Question, filled: Question
    ) -> LeftOut:
        known = [count.heads[0] or "none" for count in self.count(filled, [name], _NEAR)]
        near = f", whose {name} is {', '.join(known)} ..." if known else ""
        text = f"without {name} {value}{near}"
        return LeftOut(self.number(wide), text, option, f"{name}={ANYTHING}")

    def write(self, question: Question, path: str, counted: Optional[Sequence[str]] = None) -> int:
        """
        Writes the rows of all events that answer a question or, if roles are `counted` (none for
        the asked roles), the counts, in the format of the path's ending in `OUTPUTS`. CSV lacks
        roles without values. Returns the number of rows.
        """
        ending = ending_of(path)
        if counted is not None:
            sql, parameters = self._counting(question, counted, None)
        else:
            query = self._query(question)
            sql = f"SELECT {self._shown} FROM {TABLE} WHERE {query.condition} ORDER BY {_NUMBER}"
            parameters = query.parameters
        if ending == ".csv":
            cells = self._cells(sql, parameters, counted is not None)
            sql = f"SELECT {', '.join(cells)} FROM ({sql})"
        import duckdb

        with (
            complete_file(os.path.realpath(path)) as partial,
            self._connected() as connection,
            # That of the corpus cannot write.
            duckdb.connect() as writing,
        ):
            found = connection.sql(sql, params=parameters)
            writing.register("result", found.to_arrow_reader())
            copied = writing.execute(
                f"COPY result TO $file ({OUTPUTS[ending]})", {"file": str(partial)}
            )
            return copied.fetchall()[0][0]

    def _cells(self, sql: str, parameters: Dict[str, Any], is_count: bool) -> List[str]:
        """The columns of CSV without the roles that no row has, which would be most."""
        types = {name: type_ for name, type_, *_ in self._rows(f"DESCRIBE {sql}", parameters)}
        sums = ", ".join(f"count({quoted(name)})" for name in types)
        (numbers,) = self._rows(f"SELECT {sums} FROM ({sql})", parameters)
        roles = {role + ending for role in self.roles for ending in ("", HEADS, OFFSETS)}
        known = zip(types.items(), numbers, strict=True)
        return [
            _cell(*column, is_count) for column, number in known if number or column[0] not in roles
        ]

    def _query(self, question: Question) -> Query:
        for sense in question.senses:
            self._check_sense(sense)
        return Query(question, self.columns, self.roles, self.path)

    def _check_sense(self, sense: str) -> None:
        """Nouns and adjectives may have senses that PropBank lacks, such as `litigation.01`."""
        inventory = packaged_inventory()
        is_used = f"SELECT 1 FROM {TABLE} WHERE sense = $sense LIMIT 1"
        if inventory.roleset(sense) or self._rows(is_used, {"sense": sense}):
            return
        lemma = sense.partition(".")[0]
        known = [*inventory.of_word(lemma, "v"), *inventory.with_particles(lemma)]
        names = (roleset.sense for roleset in inventory)
        expected = f"one of {', '.join(known)}" if known else "a roleset of PropBank"
        near = "" if known else did_you_mean(sense, names)
        raise ConfigurationError(f"found the sense '{sense}'{near}; expected {expected}")

    def _counting(
        self, question: Question, roles: Sequence[str], limit: Optional[int]
    ) -> Tuple[str, Dict[str, Any]]:
        roles = roles or question.asked
        if not roles:
            raise ConfigurationError("found no role to count; expected one, such as ARG1")
        names_of_roles = {*self.roles, *QUESTIONS}
        filled = [role for role in roles if role in names_of_roles or role not in self.columns]
        query = self._query(replace(question, asked=[*question.asked, *filled]))
        columns = [tuple(query.columns_of(r)) if r in filled else (r,) for r in roles]
        # A role counts once, whatever its names and however often it is asked.
        names = {own: f"head{place}" for place, own in enumerate(dict.fromkeys(columns))}
        texts = [
            f"concat_ws('; ', {', '.join(map(query.filler, own))})"
            for own in names
            if {*own} <= {*self.roles}
        ]
        heads = []
        for own, head in names.items():
            listed = f"[coalesce({query.column(own[0])}, '')]"
            if {*own} <= {*self.roles}:
                each = (f"coalesce({query.filler(name, HEADS)}, [])" for name in own)
                listed = f"flatten([{', '.join(each)}])"
            if not question.pronouns:
                listed = f"list_filter({listed}, lambda h: NOT list_contains($pronouns, lower(h)))"
            heads.append(f"{listed} AS {head}")
        table = (
            f"(SELECT concat_ws(' | ', {', '.join(texts) or 'text'}) AS example, "
            f"{', '.join(heads)} FROM {TABLE} WHERE {query.condition})"
        )
        for head in names.values():
            table = f"(SELECT * EXCLUDE ({head}), unnest({head}) AS {head} FROM {table})"
        groups = ", ".join(f"lower({head})" for head in names.values())
        # Of texts that differ in their case, one is an example; in order, so that it is always the
        # same one.
        modes = ", ".join(
            f"mode({name} ORDER BY {name}) AS {name}" for name in [*names.values(), "example"]
        )
        table = (
            f"(SELECT {modes}, count(*) AS times FROM {table} GROUP BY {groups}, lower(example))"
        )
        shown = [
            f"arg_max({names[own]}, times ORDER BY {names[own]}) AS {quoted(role)}"
            for own, role in zip(columns, roles, strict=True)
        ]
        sql = (
            f"SELECT {', '.join(shown)}, CAST(sum(times) AS BIGINT) AS number, "
            f"list(example ORDER BY length(example), example)[1:{_EXAMPLES}] AS examples "
            f"FROM {table} GROUP BY {groups} ORDER BY number DESC, {groups}"
        )
        # A parameter that is null is no limit.
        limited: Dict[str, Any] = {} if limit is None else {"limit": min(limit, _MOST)}
        if not question.pronouns:
            query.parameters["pronouns"] = sorted(PRONOUNS)
        return sql + " LIMIT $limit" * len(limited), {**query.parameters, **limited}

    @contextmanager
    def until(self, stop: threading.Event) -> Iterator["Corpus"]:
        """Yields the corpus for one thread. Setting `stop` interrupts its questions."""
        done = threading.Event()

        def watch() -> None:
            stop.wait()
            while not done.wait(0.05):
                own._connection.interrupt()

        own = copy(self)
        own._lock = threading.Lock()
        with self._connection.cursor() as own._connection:
            watching = threading.Thread(target=watch, daemon=True)
            watching.start()
            try:
                yield own
            finally:
                done.set()
                stop.set()
                watching.join()

    def _rows(self, sql: str, parameters: Optional[Dict[str, Any]] = None) -> List[Any]:
        with self._connected() as connection:
            return connection.execute(sql, parameters).fetchall()

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        """Yields the connection to one thread, and explains errors that the user can mend."""
        import duckdb

        try:
            with self._lock:
                yield self._connection
        except duckdb.InvalidInputException as error:
            # Of the values, DuckDB reads only regular expressions.
            reason = str(error).partition("\n")[0].rpartition("Error: ")[2]
            raise ConfigurationError(
                f"found a regular expression that RE2 cannot read ({reason}); expected another"
            ) from None
        except duckdb.OutOfMemoryException as error:
            found = f"found a question that needs more than {MEMORY} of memory or all of the disk"
            raise ConfigurationError(f"{found}; expected a narrower one") from error
        except (duckdb.IOException, duckdb.FatalException, duckdb.InternalException) as error:
            raise unreadable(f"{self.path}, or its {INDEX}", error) from error


def ending_of(path: str) -> str:
    """Raises a `ConfigurationError` for an unknown ending."""
    ending = os.path.splitext(path)[1]
    if ending not in OUTPUTS:
        expected = f"a name that ends with {', '.join(OUTPUTS)}; spreadsheets open .csv"
        raise ConfigurationError(f"found the output {path}; expected {expected}")
    return ending


def _listed(numbers: Mapping[str, int]) -> str:
    shown = [f"{name} {number:,}" for name, number in [*numbers.items()][:_LISTED]]
    return ", ".join(shown) + " ..." * (len(numbers) > _LISTED)


def _cell(name: str, type_: str, is_count: bool) -> str:
    text = column = quoted(name)
    if name == "examples" and is_count:
        text = f"array_to_string({column}, '; ')"
    elif type_.endswith("[]"):
        text = f"CAST(to_json({column}) AS VARCHAR)"
        if type_ == "VARCHAR[]":
            text = f"CASE len({column}) WHEN 1 THEN {column}[1] ELSE {text} END"
    elif type_ != "VARCHAR":
        return column
    return f"CASE WHEN {is_formula(text)} THEN '''' || {text} ELSE {text} END AS {column}"
