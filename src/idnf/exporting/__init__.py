"""Models as files and as programs in other languages."""

from idnf.exporting.band_files import from_json
from idnf.exporting.excel import excel_bytes, to_excel
from idnf.exporting.model_json import to_json
from idnf.exporting.onnx_graph import decisions, onnx_inputs, to_onnx
from idnf.exporting.programs import to_javascript, to_python
from idnf.exporting.records import append_records, checker, correct_record, read_records, records
from idnf.exporting.sql import to_sql

__all__ = [
    "append_records",
    "checker",
    "correct_record",
    "decisions",
    "excel_bytes",
    "from_json",
    "onnx_inputs",
    "read_records",
    "records",
    "to_excel",
    "to_javascript",
    "to_json",
    "to_onnx",
    "to_python",
    "to_sql",
]
