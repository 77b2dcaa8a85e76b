import subprocess
import unicodedata

from hypothesis import strategies as st

from lisa_allennlp.data.formats.tokens import escape_parentheses, is_punctuation, unescape_token

# One line of hexadecimal code points a word; prints whether eval.pl takes it for punctuation, and
# whether this perl's Unicode knows all its characters.
EVAL_PL_RULE = r"""
    chomp; my $word = join "", map { chr hex } split;
    print $word =~ /^\p{Punctuation}+$/ ? 1 : 0, $word =~ /\p{Cn}/ ? 0 : 1, "\n";
"""

characters = st.characters(exclude_categories=["Cs", "Cn"])
punctuation = st.characters(categories=["Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"])


def perl_rule(words):
    """A pair (is punctuation, is known) for each word."""
    lines = "".join(" ".join(f"{ord(c):x}" for c in word) + "\n" for word in words)
    run = subprocess.run(
        ["perl", "-ne", EVAL_PL_RULE], input=lines, capture_output=True, text=True, check=True
    )
    return [(line[0] == "1", line[1] == "1") for line in run.stdout.split()]


def test_every_character_is_punctuation_where_it_is_in_perl():
    blocks = [range(0xD800), range(0xE000, 0x20000), range(0xE0000, 0xE0200)]
    all_characters = [chr(code) for block in blocks for code in block]
    mine = [c for c in all_characters if unicodedata.category(c) != "Cn"]
    rule = perl_rule(mine)
    # Perl's Unicode and Python's are of different years: only what both know is compared.
    both = [(c, is_punct) for c, (is_punct, is_known) in zip(mine, rule, strict=True) if is_known]
    assert len(both) > 60_000
    assert [c for c, is_punct in both if is_punctuation(c) != is_punct] == []


def test_brackets_are_escaped_as_in_the_treebank():
    escapes = "-LRB- -RRB- -LSB- -RSB- -LCB- -RCB-".split()
    assert [unescape_token(token) for token in escapes] == list("()[]{}")
    assert escape_parentheses("(a)[b]") == "-LRB-a-RRB-[b]"
