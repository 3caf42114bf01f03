"""Key combinations as macros write them: ``ctrl+shift+s``, ``alt+F4``, ``enter``."""

from __future__ import annotations

MODIFIERS = {
    "ctrl": "ctrl", "control": "ctrl", "alt": "alt", "option": "alt", "shift": "shift",
    "super": "super", "win": "super", "meta": "super", "cmd": "super",
}  # fmt: skip

_KEYSYMS = {
    "enter": "Return", "return": "Return", "esc": "Escape", "escape": "Escape", "tab": "Tab",
    "space": "space", "backspace": "BackSpace", "delete": "Delete", "del": "Delete",
    "insert": "Insert", "home": "Home", "end": "End", "pageup": "Prior", "page_up": "Prior",
    "pagedown": "Next", "page_down": "Next", "up": "Up", "down": "Down", "left": "Left",
    "right": "Right", "menu": "Menu", "plus": "plus", "minus": "minus", "comma": "comma",
    "period": "period", "slash": "slash", "backslash": "backslash", "semicolon": "semicolon",
    "capslock": "Caps_Lock", "printscreen": "Print",
}  # fmt: skip

_CHARACTERS = {
    "-": "minus", ",": "comma", ".": "period", "/": "slash", "\\": "backslash", ";": "semicolon",
    "'": "apostrophe", "`": "grave", "[": "bracketleft", "]": "bracketright", "=": "equal",
    "+": "plus",
}  # fmt: skip


def parse_keys(text: str) -> tuple[tuple[str, ...], str]:
    """The modifiers and the X keysym of one combination; raises :class:`ValueError`."""
    if text.endswith("++"):
        parts = [*text[:-2].split("+"), "+"]
    else:
        parts = ["+"] if text == "+" else text.split("+")
    *modifiers, key = (part.strip() for part in parts)
    unknown = [word for word in modifiers if word.lower() not in MODIFIERS]
    if unknown or not key:
        raise ValueError(f"{text!r} is not a key combination such as ctrl+shift+s")
    return tuple(MODIFIERS[word.lower()] for word in modifiers), keysym(key)


def keysym(key: str) -> str:
    """The X name of one key; raises :class:`ValueError`."""
    lower = key.lower()
    if lower in _KEYSYMS:
        return _KEYSYMS[lower]
    if lower in MODIFIERS:
        return {"ctrl": "Control_L", "alt": "Alt_L", "shift": "Shift_L", "super": "Super_L"}[
            MODIFIERS[lower]
        ]
    if lower[:1] == "f" and lower[1:].isdigit() and 1 <= int(lower[1:]) <= 24:
        return f"F{int(lower[1:])}"
    if key in _CHARACTERS:
        return _CHARACTERS[key]
    if len(key) == 1 and key.isascii() and key.isalnum():
        return key
    raise ValueError(f"{key!r} is not a key this knows")


def character_of(name: str) -> str:
    """The character a keysym stands for; a letter or digit stands for itself."""
    spelt = {word: character for character, word in _CHARACTERS.items()}
    return spelt.get(name, " " if name == "space" else name)
