"""A round looked at afterwards: what each choice was worth, what mistakes cost, and the luck of each card."""

__all__: list[str] = []
