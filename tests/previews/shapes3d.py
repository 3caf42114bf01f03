"""Small 3D files: a cube as STL, a triangle as binary glTF."""

from __future__ import annotations

import json
import struct
from itertools import product

_FACES = ("014 541", "236 763", "026 642", "137 753", "045 514", "462 264", "023 320", "467 764")


def stl_cube() -> bytes:
    """A cube as binary STL; the triangles cover all corners, more is not needed to draw it."""
    corners = list(product((0.0, 1.0), repeat=3))
    triangles = [[corners[int(i)] for i in face] for pair in _FACES for face in pair.split()]
    body = b"".join(
        struct.pack("<12fH", 0, 0, 0, *(value for corner in triangle for value in corner), 0)
        for triangle in triangles
    )
    return bytes(80) + struct.pack("<I", len(triangles)) + body


def glb_triangle() -> bytes:
    """One red triangle as binary glTF, indexed, moved by its node."""
    points = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    order = struct.pack("<3Hxx", 0, 1, 2)
    text = json.dumps(
        {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0, "translation": [3, 0, 0], "rotation": [0, 0, 0, 1]}],
            "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}],
            "meshes": [
                {"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}
            ],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
                {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
            ],
            "bufferViews": [
                {"buffer": 0, "byteOffset": 0, "byteLength": 36},
                {"buffer": 0, "byteOffset": 36, "byteLength": 6},
            ],
            "buffers": [{"byteLength": 44}],
        }
    ).encode()
    text += b" " * (-len(text) % 4)
    binary = points + order
    size = 12 + 8 + len(text) + 8 + len(binary)
    return (
        struct.pack("<4sII", b"glTF", 2, size)
        + struct.pack("<I4s", len(text), b"JSON")
        + text
        + struct.pack("<I4s", len(binary), b"BIN\0")
        + binary
    )
