// The editor: CodeMirror, with the lines of an error marked. Only what a reader of short programs uses is in it.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, WidgetType } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { edges } from "../../../viz/edges.js";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.controlKeyword], color: "var(--keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName))], color: "var(--function)" },
  { tag: [tags.className, tags.definition(tags.className)], color: "var(--function)", fontWeight: "600" },
  { tag: tags.meta, color: "var(--comment)" },
]);

class Label extends WidgetType {
  constructor(text, kind) {
    super();
    Object.assign(this, { text, kind });
  }
  eq(other) {
    return other.text === this.text && other.kind === this.kind;
  }
  toDOM() {
    const label = document.createElement("span");
    label.className = `mark-label mark-label-${this.kind}`;
    label.textContent = this.text;
    return label;
  }
}

const setMarks = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(found, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) return effect.value;
    return transaction.docChanged ? Decoration.none : found; // after an edit, a line may have moved, or be right
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function editor(parent, { text, label, run, changed }) {
  let fade = null;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => { run(); return true; } }])),
        lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), history(), drawSelection(), indentOnInput(),
        bracketMatching(), closeBrackets(), indentUnit.of("    "), EditorState.tabSize.of(4), python(),
        syntaxHighlighting(colours), marks, EditorView.updateListener.of((update) => {
          if (update.geometryChanged) fade?.();
          if (update.docChanged) changed();
        }),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
      ],
    }),
  });
  fade = edges(view.scrollDOM);
  return {
    view,
    get text() {
      return view.state.doc.toString();
    },
    set text(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
    },
    // found: [line, label, kind] for each line to mark; kind: "error" or "part"
    mark(found) {
      const pieces = [];
      for (const [number, text, kind] of [...found].sort((a, b) => a[0] - b[0])) {
        if (!(number >= 1 && number <= view.state.doc.lines)) continue;
        const line = view.state.doc.line(number);
        pieces.push(Decoration.line({ class: `mark-line mark-line-${kind}` }).range(line.from));
        if (text) pieces.push(Decoration.widget({ widget: new Label(text, kind), side: 1 }).range(line.to));
      }
      const effects = [setMarks.of(Decoration.set(pieces, true))];
      const worst = found.find(([, , kind]) => kind === "error");
      if (worst && worst[0] <= view.state.doc.lines) effects.push(EditorView.scrollIntoView(view.state.doc.line(worst[0]).from, { y: "nearest", yMargin: 40 }));
      view.dispatch({ effects });
    },
  };
}
