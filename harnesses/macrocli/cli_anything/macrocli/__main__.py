from cli_anything.macrocli.cli.start import main

raise SystemExit(main())
