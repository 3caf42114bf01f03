"""What tells one content from another: SHA-256, in hex."""

from __future__ import annotations


def sha256_of(content: bytes | str) -> str:
    """The digest of *content*; of text, that of its UTF-8."""
    import hashlib  # 2 ms for OpenSSL, which most commands end without

    given = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(given).hexdigest()
