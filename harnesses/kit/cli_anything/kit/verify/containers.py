"""Which container a media file is, by its first bytes.

Sources: ISO/IEC 14496-12 (``ftyp``), RFC 8794 (EBML), the GIF89a, RIFF and MPEG audio formats.
"""

from __future__ import annotations

from pathlib import Path

_HEAD_BYTES = 4096


def container_of(path: Path) -> str:
    """``mp4 mov webm matroska gif wav mp3 ogg flac avi png jpeg webp``, or ``unknown``."""
    with path.open("rb") as stream:
        return container_of_bytes(stream.read(_HEAD_BYTES))


def container_of_bytes(head: bytes) -> str:
    if head[4:8] == b"ftyp":
        return "mov" if head[8:12] == b"qt  " else "mp4"
    if head[4:8] in (b"moov", b"mdat", b"wide", b"free"):
        return "mov"
    if head.startswith(b"\x1a\x45\xdf\xa3"):
        return "webm" if b"\x42\x82\x84webm" in head[:64] else "matroska"
    if head.startswith(b"RIFF"):
        return {b"WAVE": "wav", b"AVI ": "avi", b"WEBP": "webp"}.get(head[8:12], "unknown")
    for magic, name in _MAGIC.items():
        if head.startswith(magic):
            return name
    is_mpeg_audio = len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0
    return "mp3" if is_mpeg_audio and head[1] & 0x06 else "unknown"


_MAGIC = {
    b"GIF87a": "gif",
    b"GIF89a": "gif",
    b"ID3": "mp3",
    b"OggS": "ogg",
    b"fLaC": "flac",
    b"\x89PNG\r\n\x1a\n": "png",
    b"\xff\xd8\xff": "jpeg",
}
