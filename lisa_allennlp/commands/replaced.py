"""How commands of this package take the place of AllenNLP's."""

import logging
from typing import Callable, Type, TypeVar

from allennlp.commands.subcommand import Subcommand

Command = TypeVar("Command", bound=Subcommand)


def takes_the_place_of(name: str) -> Callable[[Type[Command]], Type[Command]]:
    """
    Registers a class as the command of this name. AllenNLP would note on every start of `lisa` that
    there had been another; that is left out.
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
