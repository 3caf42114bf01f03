"""``python -m cli_hub`` is the same program as ``cli-hub``."""

from cli_hub.cli.start import program

if __name__ == "__main__":
    raise SystemExit(program())
