from cli_anything.macrocli.cli.start import program

raise SystemExit(program())
