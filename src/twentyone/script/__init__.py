"""Round scripts: the exchange format of a round, dealt again."""

from twentyone.script.commands import COMMAND_FORMAT, play_commands
from twentyone.script.deal import deal
from twentyone.script.parse import FORMAT, FORMAT_2, Script, parse
from twentyone.script.replay import Verdict, replay
from twentyone.script.result import differences, result

__all__ = [
    "COMMAND_FORMAT",
    "FORMAT",
    "FORMAT_2",
    "Script",
    "Verdict",
    "deal",
    "differences",
    "parse",
    "play_commands",
    "replay",
    "result",
]
