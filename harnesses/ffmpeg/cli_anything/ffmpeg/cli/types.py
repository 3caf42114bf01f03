"""Types of arguments that several commands take."""

from __future__ import annotations

from pathlib import Path

import click

from cli_anything.ffmpeg import values

# A function as a type: click names it after the function, and its errors say what is allowed.
SECONDS = values.seconds
COLOR = values.color
RATE = values.frame_rate
LENGTH = values.length
FILE = click.Path(path_type=Path)
