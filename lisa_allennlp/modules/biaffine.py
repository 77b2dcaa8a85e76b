"""Biaffine scores of pairs of vectors, for arcs, labels and roles."""

import torch

PAIRS_AT_ONCE = 256
"""
The pairs that `score_pairs` scores at once. For 45 labels of 100 x 100 their forms take 4.6 MB, and
stay in the core's cache until the second product.
"""


class BiaffineAttention(torch.nn.Module):
    """
    Scores every pair of a query and a key with `q^T U k + u^T k` (Dozat & Manning 2017, equation 2;
    LISA, equation 4). For arcs, dependents are queries and heads are keys, and `u^T k` is the prior
    of a token being a head. `U` and `u` start at zero, as in the authors' parser: an untrained
    model prefers no arc.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self._query_to_key = torch.nn.Linear(dim, dim)
        torch.nn.init.zeros_(self._query_to_key.weight)
        torch.nn.init.zeros_(self._query_to_key.bias)

    def forward(self, queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        """
        Scores `(batch_size, num_queries, dim)` against `(batch_size, num_keys, dim)`, in single
        precision: `(batch_size, num_queries, num_keys)`.
        """
        preferred_keys = self._query_to_key(queries)
        # Small differences between scores decide, and reduced precision is not faster for products
        # of this size.
        with torch.autocast(keys.device.type, enabled=False):
            return torch.bmm(preferred_keys.float(), keys.float().transpose(1, 2))


class LabelBilinear(torch.nn.Module):
    """
    Scores each label of a pair of vectors with a bilinear form and a bias on both sides,
    `[left; 1]^T U_l [right; 1]` (LISA, equation 6; Dozat & Manning 2017, equation 3).

    The left vector is multiplied first, so that it is projected once for all its right vectors: a
    predicate is paired with every token of its sentence.
    """

    def __init__(self, left_dim: int, right_dim: int, num_labels: int) -> None:
        super().__init__()
        self._form_size = right_dim, num_labels
        # A left vector becomes a matrix with one column per label. The terms of one vector alone
        # have their own layers: as a bias, they would be copied into each of these matrices.
        self._left_to_form = torch.nn.Linear(left_dim, right_dim * num_labels, bias=False)
        self._left_to_labels = torch.nn.Linear(left_dim, num_labels)
        self._right_to_labels = torch.nn.Linear(right_dim, num_labels, bias=False)
        for parameter in self.parameters():
            torch.nn.init.zeros_(parameter)

    def forward(
        self, left: torch.Tensor, right: torch.Tensor, groups: torch.Tensor
    ) -> torch.Tensor:
        """
        Scores each left vector, `(num_left, left_dim)`, with all right vectors of one group,
        `(num_groups, group_size, right_dim)`. `groups`, `(num_left,)`, has the group of each left
        vector. Returns `(num_left, group_size, num_labels)`.
        """
        of_right = self._right_to_labels(right).index_select(0, groups)
        of_one = of_right + self._left_to_labels(left).unsqueeze(1)
        return self._score(left, right.index_select(0, groups), of_one)

    def score_pairs(self, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        """
        Scores pairs of `(num_pairs, left_dim)` and `(num_pairs, right_dim)` faster than `forward`:
        `(num_pairs, num_labels)`.
        """
        of_one = self._left_to_labels(left) + self._right_to_labels(right)
        pairs = left, right.unsqueeze(1), of_one.unsqueeze(1)
        if torch.jit.is_tracing():
            # An exported graph would have as many blocks as the sentence that is traced.
            return self._score(*pairs)[:, 0]
        blocks = zip(*(part.split(PAIRS_AT_ONCE) for part in pairs), strict=True)
        return torch.cat([self._score(*block) for block in blocks]).squeeze(1)

    def _score(self, left: torch.Tensor, right: torch.Tensor, of_one: torch.Tensor) -> torch.Tensor:
        form = self._left_to_form(left).view(-1, *self._form_size)
        return torch.baddbmm(of_one, right, form)
