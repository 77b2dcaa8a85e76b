"""
The AllenNLP plug-in: importing it registers every class and command of the package.

`.allennlp_plugins` names it, so that the `allennlp` command finds LISA in a checkout; elsewhere
`~/.allennlp/plugins` can.
"""

from allennlp.common.util import import_module_and_submodules

import_module_and_submodules("lisa_allennlp")
