"""Runs a notebook from top to bottom in a kernel of its own, as a person's Jupyter does: `python run_notebook.py NOTEBOOK
FOLDER`. Prints for each cell of code a line of JSON with its id and what it printed; ends with 1 where a cell fails."""

import json
import sys

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

notebook, folder = sys.argv[1:]
book = nbformat.read(notebook, as_version=4)
nbformat.validate(book)
stored = sum(len(cell.outputs) for cell in book.cells if cell.cell_type == "code")
print(json.dumps({"valid": True, "stored_outputs": stored}), flush=True)
client = NotebookClient(book, timeout=900, kernel_name="python3", resources={"metadata": {"path": folder}})
try:
    client.execute()
except CellExecutionError as error:
    print(error, file=sys.stderr)
    sys.exit(1)
finally:
    for cell in book.cells:
        if cell.cell_type == "code":
            text = "".join(output.get("text", "") for output in cell.outputs)
            print(json.dumps({"cell": cell.id, "text": text}), flush=True)
