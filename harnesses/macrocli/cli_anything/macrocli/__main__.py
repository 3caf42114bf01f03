from cli_anything.macrocli.cli.main import main

raise SystemExit(main())
