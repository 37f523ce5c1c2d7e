"""``python -m idnf`` is the command ``idnf``."""

import sys

from idnf.cli import main

if __name__ == "__main__":
    sys.exit(main())
