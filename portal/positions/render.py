"""Turns a picture into pixels, in a process of its own: SVG comes in at standard input, PNG goes out at standard output.

Run as `python -I render.py WIDTH`. Drawing pixels takes tenths of a second during which Python does nothing else, and the files of others
could make it take more; here it can be stopped, and its memory is given back. It knows nothing of the portal, and starts as fast as it can.
"""

import sys
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"  # never those of the machine: a picture is the same everywhere


def main() -> None:
    """Draw the file at standard input as wide as the only argument says, in px."""
    import resvg_py

    drawn = resvg_py.svg_to_bytes(
        svg_string=sys.stdin.buffer.read().decode(),
        width=int(sys.argv[1]),
        skip_system_fonts=True,
        font_files=sorted(str(path) for path in FONTS.glob("*.ttf")),
        font_family="Zig Sans",
        sans_serif_family="Zig Sans",
        serif_family="Zig Serif",
    )
    sys.stdout.buffer.write(drawn)


if __name__ == "__main__":
    main()
