"""What the tests share: strict stand-ins, loopback servers, readers of real pages."""
