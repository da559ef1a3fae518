"""A working shift: automatic players and staff work real tables into a real ledger."""

from twentyone.service.shift.people import ShiftPeople

__all__ = ["ShiftPeople"]
