"""`python -m groundwire` is the `groundwire` command."""

import sys

from groundwire.cli import main

sys.exit(main())
