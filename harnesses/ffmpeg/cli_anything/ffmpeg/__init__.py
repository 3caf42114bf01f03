"""A video harness over the real ffmpeg: a timeline in a file, and exports that are verified."""

__version__ = "0.1.0"
SOFTWARE = "ffmpeg"
ENTRY_POINT = "cli-anything-ffmpeg"
