"""What organisations add to a model: they read it by its public names alone, and nothing of idnf imports them.

docs/reference/reading.md lists what a fitted model shows; these modules use nothing else.
"""

from importlib import import_module
from typing import TYPE_CHECKING

# A public name is imported when it is first asked for.
_HOMES = {
    "append_records": "records",
    "audit": "rule_audits",
    "checker": "records",
    "correct_record": "records",
    "make_records": "records",
    "model_card": "cards",
    "monitor": "monitoring",
    "read_records": "records",
    "to_excel": "workbook",
    "write_letters": "letters",
}

if TYPE_CHECKING:
    from idnf.governance.cards import model_card as model_card
    from idnf.governance.letters import write_letters as write_letters
    from idnf.governance.monitoring import monitor as monitor
    from idnf.governance.records import append_records as append_records
    from idnf.governance.records import checker as checker
    from idnf.governance.records import correct_record as correct_record
    from idnf.governance.records import make_records as make_records
    from idnf.governance.records import read_records as read_records
    from idnf.governance.rule_audits import audit as audit
    from idnf.governance.workbook import to_excel as to_excel
else:
    __all__ = [*_HOMES]

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(f"idnf.governance.{_HOMES[name]}"), name)
        globals()[name] = found
        return found

    def __dir__():
        return sorted({*globals(), *__all__})
