"""The cell magic `%%des`: the rest of the cell is a model.

    %load_ext deslang
    %%des ballot N=4
    system Ballot { ... }

reads the model, decides its checks, shows the report (with the coloured text), and keeps the model in the variable `ballot`.
"""

from __future__ import annotations

from typing import Any

from .errors import ModelError
from .models import DISPLAY_TIMEOUT, Model, parse


def des(line: str, cell: str, namespace: dict[str, Any]) -> Model:
    """What the magic does: `%%des [NAME] [CONSTANT=VALUE]... [timeout=SECONDS]`."""
    name, timeout = "model", DISPLAY_TIMEOUT
    constants: dict[str, Any] = {}
    for word in line.split():
        key, equals, value = word.partition("=")
        if not equals:
            name = key
        elif key == "timeout":
            timeout = float(value)
        else:
            constants[key] = int(value)
    model = parse(cell, name=f"{name}.des", **constants)
    model._shown = model.check(timeout=timeout)
    namespace[name] = model
    return model


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext deslang`."""

    def magic(line: str, cell: str) -> Any:
        try:
            return des(line, cell, shell.user_ns)
        except ModelError as error:
            # What is wrong with the text is shown as the terminal shows it, without the lines of this package.
            shell.showtraceback((ModelError, error, None), exception_only=True)
            return None

    shell.register_magic_function(magic, magic_kind="cell", magic_name="des")
