"""Colours of `.des` text: for notebooks, and for Pygments (nbconvert, Sphinx) under the name `des`."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import Token
else:
    try:
        from pygments.lexer import Lexer
        from pygments.token import Token
    except ImportError:
        Lexer, Token = object, None


def to_html(text: str) -> str:
    """The text with a `<span>` around each token that has a colour."""
    parts = []
    for piece, kind in _pieces(text):
        shown = html.escape(piece)
        parts.append(f'<span class="{kind}">{shown}</span>' if kind else shown)
    return "".join(parts)


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    for start, end, kind in _native.tokens(text):
        if at < start:
            yield text[at:start], ""
        yield text[start:end], kind
        at = end
    if at < len(text):
        yield text[at:], ""


class DesLexer(Lexer):  # type: ignore[misc, unused-ignore]
    """The lexer of the compiler, for Pygments."""

    name = "des"
    aliases = ["des"]
    filenames = ["*.des"]
    url = ""

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        kinds = {
            "comment": Token.Comment, "doc": Token.Comment.Special, "integer": Token.Number.Integer,
            "quoted": Token.String, "sign": Token.Name.Variable, "word": Token.Keyword, "wrong": Token.Error,
        }
        at = 0
        for piece, kind in _pieces(text):
            yield at, kinds.get(kind, Token.Text), piece
            at += len(piece)
