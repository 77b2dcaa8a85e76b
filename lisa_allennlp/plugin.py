"""
The AllenNLP plug-in. Importing it registers every class and command of the package, and has the
roles of the training data counted in every training of a model with a role decoder.

The file `.allennlp_plugins` names this module, so the `allennlp` command finds LISA in a checkout's
folder. Elsewhere, add the line `lisa_allennlp.plugin` to `~/.allennlp/plugins`. The `lisa` command
needs neither.
"""

from lisa_allennlp.common.importing import import_all
from lisa_allennlp.common.threads import use_one_thread_in_forks
from lisa_allennlp.training import complete_outputs, recoverable_trainer, workers
from lisa_allennlp.training.callbacks import role_statistics

use_one_thread_in_forks()
role_statistics.use_by_default()
recoverable_trainer.use_by_default()
complete_outputs.use_by_default()
workers.use_by_default()
import_all("lisa_allennlp")
