"""`python -m minigrad`: see _as_torch/programs.py."""

if __name__ == "__main__":
    from minigrad._as_torch.programs import main

    main()
