"""Random choices for the embedded sample, made so that no word dominates."""

import random
from typing import Dict, Sequence, Tuple

from sample.lexicon import words_of_part


class Choices:
    """
    # Parameters

    rng : `random.Random`
    held_out : `bool`
        Whether to use the words and pairs that the training part must not have.
    """

    def __init__(self, rng: random.Random, held_out: bool) -> None:
        self.rng = rng
        self.held_out = held_out
        self.words = words_of_part(held_out)
        self._used: Dict[str, int] = {}
        # The tense that most clauses of the sentence have.
        self.usual_tense = "past"
        # Prepositions that no noun may bring, since the verb brings them.
        self.avoided: Tuple[str, ...] = ()

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.rng.random() < probability

    def pick(self, items: Sequence, name=lambda item: str(item)):
        """The less used of three random items, so that no word dominates."""
        sampled = [items[self.rng.randrange(len(items))] for _ in range(3)]
        best = min(sampled, key=lambda item: self._used.get(name(item), 0))
        self._used[name(best)] = self._used.get(name(best), 0) + 1
        return best

    def word(self, name: str) -> str:
        """A word of a list of the lexicon."""
        return self.pick(self.words.lists[name])

    def tense(self) -> str:
        """Mostly the tense of the whole sentence."""
        other = {"past": "present", "present": "past"}[self.usual_tense]
        return other if self.chance(0.12) else self.usual_tense

    def is_held_out_pair(self, first: str, second: str) -> bool:
        """Whether a pair of words is kept out of the training part (one in four)."""
        return sum(map(ord, first + second)) % 4 == 0

    def pair_allowed(self, first: str, second: str) -> bool:
        """Training never has a held-out pair; the other parts have it as any other."""
        return self.held_out or not self.is_held_out_pair(first, second)
