import subprocess
import unicodedata

from lisa_allennlp.text.tokens import is_punctuation

# One hexadecimal code point a line; prints whether eval.pl takes a word of it for punctuation, and
# whether this perl's Unicode knows it.
EVAL_PL_RULE = r"""
    chomp; my $word = chr hex;
    print $word =~ /^\p{Punctuation}+$/ ? 1 : 0, $word =~ /\p{Cn}/ ? 0 : 1, "\n";
"""


def test_every_character_is_punctuation_where_it_is_in_perl():
    blocks = [range(0xD800), range(0xE000, 0x20000), range(0xE0000, 0xE0200)]
    all_characters = [chr(code) for block in blocks for code in block]
    mine = [c for c in all_characters if unicodedata.category(c) != "Cn"]
    lines = "".join(f"{ord(c):x}\n" for c in mine)
    command = ["perl", "-ne", EVAL_PL_RULE]
    run = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    # Perl's Unicode and Python's are of different years: only what both know is compared.
    both = [
        (character, is_punct == "1")
        for character, (is_punct, is_known) in zip(mine, run.stdout.split(), strict=True)
        if is_known == "1"
    ]
    assert len(both) > 60_000
    assert [c for c, is_punct in both if is_punctuation(c) != is_punct] == []
