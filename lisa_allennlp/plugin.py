"""
The AllenNLP plug-in: importing it registers every class and command of the package.

`.allennlp_plugins` names it, so that the `allennlp` command finds LISA in the folder of a checkout;
elsewhere, put a line `lisa_allennlp.plugin` in `~/.allennlp/plugins`. The `lisa` command needs
neither.
"""

from allennlp.common.util import import_module_and_submodules

from lisa_allennlp.common.threads import use_one_thread_in_forks

use_one_thread_in_forks()
import_module_and_submodules("lisa_allennlp")
