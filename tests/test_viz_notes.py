"""An error's notes below its traceback, in a notebook whose IPython leaves them out (7, which Colab has)."""

import types

from viz.errors import notes


class Shell:
    """IPython's shell as far as notes need it: `shows` says whether its tracebacks have notes."""

    def __init__(self, shows):
        self.InteractiveTB, self.registered = self, []
        self.events = types.SimpleNamespace(register=lambda event, call: self.registered.append((event, call)))
        self.shows = shows

    def structured_traceback(self, kind, error, trace):
        return [f"{kind.__name__}: {error}", *(error.__notes__ if self.shows else ())]

    def stb2text(self, lines):
        return "\n".join(lines)


def test_notes_are_added_only_where_ipython_leaves_them_out(monkeypatch):
    for shows in (True, False):
        shell = Shell(shows)
        monkeypatch.setitem(notes.sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda shell=shell: shell))
        notes.show_notes()
        assert shell.registered == ([] if shows else [("post_run_cell", notes.print_notes)])


def test_all_notes_are_printed_and_an_error_without_one_adds_nothing(capsys):
    error = ValueError("no")
    notes.print_notes(types.SimpleNamespace(error_in_exec=error))
    notes.print_notes(types.SimpleNamespace(error_in_exec=None))
    assert capsys.readouterr().err == ""
    error.add_note("line 3 changed it")
    error.add_note("change a copy")
    notes.print_notes(types.SimpleNamespace(error_in_exec=error))
    assert capsys.readouterr().err == "line 3 changed it\nchange a copy\n"
