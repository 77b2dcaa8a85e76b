"""
Turns inputs into labelled sentences. The commands, the predictors and `lisa_allennlp.load` all use
this package.

- `requests` reads and checks inputs.
- `labeller` has the base class of labellers and those of the parser and the supertagger,
  `lisa_labeller` that of LISA.
- `groups` labels many inputs at once, even if some of them are invalid, and `pool` has processes.
- `sources` reads the inputs of commands, and `input_formats` names their formats.
- `loading` opens an archive and returns a labeller.
- `writing` formats sentences for programs; `lisa_allennlp.apps.show` shows them to people.
- `parse_sources` wraps other parsers, whose trees can be injected into LISA.
"""
