"""The error for a wrong value of the user's."""


class ConfigurationError(Exception):
    """
    Raised for a wrong value of the user's: an argument, a config key, a file or an input. The
    message is one line with the place, the value found and the value expected, which the `lisa`
    command prints instead of a traceback.

    AllenNLP raises an error of the same name, which is another class
    (`lisa_allennlp.archival.errors`).
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
