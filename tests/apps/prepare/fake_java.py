"""
A stand-in for Java with the Stanford parser and tagger, whose answers can be worked out by hand.

The parser: the head of a constituent is its last child with a label in V, or else its first child;
a label is that of the highest constituent which a word heads, in lower case. Without
-makeCopulaHead, the word "is" is no head. Like the real one, it deletes disfluencies.

The tagger: the tag of a word is its first letter in upper case, but that of `-RRB-` is `-RRB-`.

Both take `MISBEHAVE` from the environment.
"""

import os
import re
import sys

DELETED = ("CODE", "RS", "RM", "IP", "-NONE-")


def read_trees(text):
    stack = [[]]
    for token in re.findall(r"[()]|[^()\s]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            node = stack.pop()
            stack[-1].append(node)
        else:
            stack[-1].append(token)
    (trees,) = stack
    return trees


def add_words(node, rows, not_heads):
    """Appends the rows of a node, and returns the index of its head."""
    label, *children = node
    if label in DELETED:
        return None
    if isinstance(children[0], str):
        rows.append([children[0], label, 0, label.lower()])
        return len(rows) - 1
    heads = [(child[0], add_words(child, rows, not_heads)) for child in children]
    heads = [(name, head) for name, head in heads if head is not None]
    if not heads:
        return None
    candidates = [(name, h) for name, h in heads if rows[h][0] not in not_heads] or heads
    verbs = [head for name, head in candidates if name.startswith("V")]
    chosen = verbs[-1] if verbs else candidates[0][1]
    for _, head in heads:
        if head != chosen:
            rows[head][2] = chosen + 1
    rows[chosen][3] = label.partition("-")[0].lower()
    return chosen


def conllx(tree, not_heads):
    rows = []
    rows[add_words(tree, rows, not_heads)][3] = "root"
    for number, (word, tag, head, label) in enumerate(rows, start=1):
        yield f"{number}\t{word}\t_\t{tag}\t{tag}\t_\t{head}\t{label}\t_\t_"
    yield ""


def main(arguments):
    properties = [argument for argument in arguments if argument.startswith("-D")]
    flag, jars, name, *options = arguments[len(properties) :]
    assert flag == "-cp" and all(map(os.path.isfile, jars.split(os.pathsep)))
    misbehave = os.environ.get("MISBEHAVE", "")
    if misbehave == "fail":
        sys.exit('Exception in thread "main" java.lang.Error: no\n\tat A.b(A.java:1)\n\tat A.c(A)')
    if name == "edu.stanford.nlp.tagger.maxent.MaxentTagger":
        lines = tag(dict(zip(options[::2], options[1::2], strict=True)), misbehave)
    else:
        assert name == "edu.stanford.nlp.trees.EnglishGrammaticalStructure"
        lines = convert(options, misbehave)
    sys.stdout.buffer.write("".join(line + "\n" for line in lines).encode())


def tag(options, misbehave):
    assert os.path.isfile(options["-model"]) and options["-encoding"] == "UTF-8"
    assert (options["-tokenize"], options["-sentenceDelimiter"]) == ("false", "newline")
    assert options["-outputFormat"] == "tsv"
    with open(options["-textFile"], encoding="utf-8") as file:
        sentences = [line.split() for line in file]
    lines = []
    for words in sentences:
        lines += [f"{word}\t{word if word == '-RRB-' else word[0].upper()}" for word in words]
        lines.append("")
    if misbehave == "no tab":
        lines = [line.replace("\t", "_") for line in lines]
    return lines


def convert(options, misbehave):
    assert {"-basic", "-conllx", "-keepPunct"} <= set(options)
    with open(options[options.index("-treeFile") + 1], encoding="utf-8") as file:
        trees = read_trees(file.read())
    with open(os.environ["CALLS"], "a", encoding="utf-8") as file:
        file.write(f"{len(trees)}\n")
    not_heads = () if "-makeCopulaHead" in options else ("is",)
    lines = [line for tree in trees for line in conllx(tree, not_heads)]
    if misbehave == "other word":
        lines = [line.replace("\tbake\t", "\tcook\t") for line in lines]
    elif misbehave == "one sentence less":
        lines = lines[: lines[:-1].index("") + 1]
    return lines


if __name__ == "__main__":
    main(sys.argv[1:])
