"""From an uploaded file to a small square WebP. Nothing of the file itself is kept: no metadata, no bytes that only look like a picture."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import IO, Final

from portal.people import refusals

MAX_UPLOAD_BYTES: Final = 5 * 1024 * 1024
MAX_PIXELS: Final = 24_000_000  # decoded, that is about 100 MB; a header of some bytes can claim far more
SIDE_PX: Final = 256
MAX_BYTES: Final = 20_000
FORMATS: Final = ("JPEG", "PNG", "WEBP")
_QUALITIES: Final = (82, 70, 55, 40, 25, 10)
_BROKEN: Final = (OSError, ValueError, SyntaxError, EOFError, ArithmeticError, LookupError, TypeError, struct.error, zlib.error)


def small_picture(upload: IO[bytes], size: int) -> bytes:
    """Return the middle of an uploaded picture, upright, as a WebP of at most MAX_BYTES. Raises a BadValue of this app."""
    if size > MAX_UPLOAD_BYTES:
        raise refusals.PictureTooHeavy
    from PIL import Image, ImageOps  # takes a while to load, and few processes ever need it

    try:
        with Image.open(upload, formats=FORMATS) as image:  # reads the header only
            if image.width * image.height > MAX_PIXELS:
                raise refusals.PictureTooLarge
            if image.format in ("PNG", "WEBP") and getattr(image, "is_animated", False):
                raise refusals.MovingPicture
            image.draft("RGB", (2 * SIDE_PX, 2 * SIDE_PX))  # a JPEG is decoded at a fraction of its size
            upright = ImageOps.exif_transpose(image).convert("RGBA")
            square = ImageOps.fit(upright, (SIDE_PX, SIDE_PX))
    except Image.DecompressionBombError:
        raise refusals.PictureTooLarge from None
    except _BROKEN:
        raise refusals.NotAPicture from None
    plain = Image.new("RGB", square.size, "white")  # a new picture has no metadata
    plain.paste(square, mask=square)
    for quality in _QUALITIES:
        out = BytesIO()
        plain.save(out, "WEBP", quality=quality, method=4)
        if out.tell() <= MAX_BYTES:
            break
    return out.getvalue()
