"""
The AllenNLP plug-in. Importing it registers every class and command of the package.

The file `.allennlp_plugins` names this module, so the `allennlp` command finds LISA in a checkout's
folder. Elsewhere, add the line `lisa_allennlp.plugin` to `~/.allennlp/plugins`. The `lisa` command
needs neither.
"""

from allennlp.common.util import import_module_and_submodules

from lisa_allennlp.common.threads import use_one_thread_in_forks

use_one_thread_in_forks()
import_module_and_submodules("lisa_allennlp")
