"""The program as `python -m drivecast`."""

from drivecast.cli.main import main

if __name__ == "__main__":
    main()
