"""
LISA for AllenNLP: semantic role labelling with linguistically-informed self-attention.

    import lisa_allennlp

    lisa = lisa_allennlp.load("OUT/model.tar.gz")
    sentence = lisa("She sold him the car .")

Importing the package is cheap: it sets the defaults that the training configurations read from
the environment. `load`, or the import of `lisa_allennlp.plugin`, registers the package's classes
with AllenNLP.
"""

from typing import TYPE_CHECKING, Any

from lisa_allennlp.common.environment import set_environment_defaults
from lisa_allennlp.version import VERSION

if TYPE_CHECKING:
    from lisa_allennlp.labelling.labeller import Labeller

__all__ = ["__version__", "load"]

__version__ = VERSION

set_environment_defaults()


def load(archive: Any, **options: Any) -> "Labeller":
    """
    Opens a trained model of this package: LISA, SA, the D&M parser or the supertagger. Where
    PyTorch is not loaded yet, its threads are made to wait passively (docs/threads.md).

    # Parameters

    archive : `Union[str, PathLike]`
        A `model.tar.gz` or a training folder.
    **options
        `precision` (`float32` or `bfloat16`), `device` (`cpu`, `cuda:1`, or a number),
        `processes` (how many share the work of `pipe`), and those of the model's labeller:
        `parser` and `parse_decoder` for LISA, `beta` for the supertagger, `language` and
        `max_tokens` for all.

    # Returns

    `Labeller`
        What labels sentences.

    # Raises

    `ConfigurationError`
        If the archive is not one of this package's models, or an option does not fit it.
    """
    from lisa_allennlp.common.threads import set_passive_waiting, set_thread_numbers

    set_passive_waiting()
    set_thread_numbers()
    import lisa_allennlp.plugin  # noqa: F401
    from lisa_allennlp.labelling.loading import load_labeller

    return load_labeller(archive, **options)
