"""QR codes, drawn on the server: a camera reads the link of a table from a screen or a sheet of paper."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

import segno


@lru_cache(maxsize=64)
def qr_svg(text: str) -> bytes:
    """Return a text as a QR code in an SVG file, dark on white in every theme: cameras need the contrast and the white border."""
    out = BytesIO()
    segno.make_qr(text, error="m").save(out, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, svgns=True, xmldecl=False)
    return out.getvalue()
