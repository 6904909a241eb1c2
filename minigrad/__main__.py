"""`python -m minigrad`: see programs.py."""

if __name__ == "__main__":
    from minigrad.programs import main

    main()
