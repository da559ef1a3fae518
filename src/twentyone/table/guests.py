"""Guests without a device: the dealer seats them and enters what they signal, and the record says who entered it."""

from __future__ import annotations

from twentyone.table.people import take_boxes
from twentyone.table.play import ABSENT, ENTERED_BY, TablePlay, command

__all__ = ["check_whose"]


@command("seat_guest", roles=("dealer",), takes={"player": str, "boxes": list})
def seat_guest(play: TablePlay) -> None:
    """The dealer seats a guest who has no device, and from then on enters what this guest signals."""
    name = play.need("player", str)
    known = play.state.players.get(name)
    if known is not None and known.device:
        raise play.refuse(f"{name} plays with a device of his own: nobody enters anything for him")
    take_boxes(play, name, device=False)


def check_whose(play: TablePlay) -> None:
    """A player answers for himself; for a guest without a device the dealer on duty enters it, and nobody else."""
    if play.command.role != "player":
        return
    by, entered = play.command.by, play.command.args.get(ENTERED_BY)
    player = play.state.players.get(by)
    has_none = player is not None and not player.device
    if entered is None:
        if has_none and ABSENT not in play.command.args:
            raise play.refuse(f"{by} plays without a device: the dealer enters what {by} signals")
        return
    if not has_none:
        raise play.refuse(f"{by} plays with a device of his own: nobody enters anything for him")
    if entered != play.state.dealer:
        raise play.refuse(f"what a guest signals is entered by the dealer on duty, not by {entered}")
