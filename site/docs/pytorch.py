def write(path):
    path.write_text("# Coming from PyTorch\n", encoding="utf-8")
