"""Replaces AllenNLP's commands."""

import logging
from typing import Callable, Type, TypeVar

from allennlp.commands.subcommand import Subcommand

Command = TypeVar("Command", bound=Subcommand)


def takes_the_place_of(name: str) -> Callable[[Type[Command]], Type[Command]]:
    """
    Registers a class as the command of this name, in place of AllenNLP's. Hides the message that
    AllenNLP logs about it on every start of `lisa`.
    """

    def register(command: Type[Command]) -> Type[Command]:
        log = logging.getLogger("allennlp.common.registrable")
        level = log.level
        log.setLevel(logging.WARNING)
        try:
            Subcommand.register(name, exist_ok=True)(command)
        finally:
            log.setLevel(level)
        return command

    return register
