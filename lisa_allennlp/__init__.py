"""
LISA for AllenNLP: semantic role labelling with linguistically-informed self-attention.

    import lisa_allennlp

    lisa = lisa_allennlp.load()  # or load("OUT/model.tar.gz")
    sentence = lisa("She sold him the car .")

Importing the package is fast and only sets defaults of the environment variables that training
configs read. `load` and `import lisa_allennlp.plugin` register the package's classes with AllenNLP.
"""

from typing import TYPE_CHECKING, Any

from lisa_allennlp.common.environment import set_environment_defaults
from lisa_allennlp.pretrained import DEFAULT
from lisa_allennlp.version import VERSION

if TYPE_CHECKING:
    from lisa_allennlp.labelling.labeller import Labeller

__all__ = ["__version__", "load"]

__version__ = VERSION

set_environment_defaults()


def load(archive: Any = DEFAULT, **options: Any) -> "Labeller":
    """
    Loads a trained model: LISA, SA, the D&M parser or the supertagger. If PyTorch is not loaded
    yet, its threads are set to wait passively (docs/threads.md).

    # Parameters

    archive : `Union[str, PathLike]`, optional (default = `"english"`)
        A `model.tar.gz`, a training folder, a folder that `lisa export` wrote, or the name of a
        model in the package (`lisa models` lists them).
    **options
        For all models: `precision` (`float32` or `bfloat16`), `device` (`cpu`, `cuda:1`, or the
        number of a GPU), `processes` (the number of processes that `pipe` uses), `language`,
        `max_tokens` and `allow_types` (the dotted names of classes that are not registered but that
        the model's config may name, because you trust it). For LISA: `parser`, `parse_decoder`,
        `frames`, `probabilities` and `min_probability`. For the supertagger: `beta`.

    # Returns

    `Labeller`
        Called with a sentence, it returns the labelled sentence.

    # Raises

    `ConfigurationError`
        If the archive has no model of this package or an option is invalid.
    """
    from lisa_allennlp.common.threads import set_passive_waiting, set_thread_numbers

    set_passive_waiting()
    set_thread_numbers()
    import lisa_allennlp.plugin  # noqa: F401
    from lisa_allennlp.labelling.loading import load_labeller

    return load_labeller(archive, **options)
