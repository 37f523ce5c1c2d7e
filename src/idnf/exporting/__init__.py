"""Models as files and as programs in other languages."""

from idnf.atomic_files import write_atomically
from idnf.exporting.band_files import from_json, json_text, model_hash, to_json
from idnf.exporting.onnx_graph import decisions, onnx_inputs, to_onnx
from idnf.exporting.optimum_checker import optimum_checker
from idnf.exporting.programs import to_javascript, to_python
from idnf.exporting.rule_list import ordered_reasons
from idnf.exporting.sql import to_sql

__all__ = [
    "decisions",
    "from_json",
    "json_text",
    "model_hash",
    "onnx_inputs",
    "optimum_checker",
    "ordered_reasons",
    "to_javascript",
    "to_json",
    "to_onnx",
    "to_python",
    "to_sql",
    "write_atomically",
]
