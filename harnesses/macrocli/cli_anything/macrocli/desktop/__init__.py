"""The screen, the keyboard, the mouse and the windows of a running desktop."""
