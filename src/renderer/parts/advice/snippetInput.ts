// `;name` and a space in the editor becoming the text of that name.
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** The snippet name just before a place in a line, or null. */
export const snippetBefore = (line: string): string | null =>
  /(?:^|\s);([A-Za-z0-9_-]{1,40})$/.exec(line)?.[1] ?? null;

/** Puts a text in place of its name as the space after it is typed; a name nobody gave stays as it is. */
export const snippetInput = (textOf: (name: string) => string | null): Extension =>
  EditorView.inputHandler.of((view, from, to, typed) => {
    if (typed !== ' ' || from !== to) return false;
    const line = view.state.doc.lineAt(from);
    const name = snippetBefore(view.state.sliceDoc(line.from, from));
    const text = name === null ? null : textOf(name);
    if (name === null || text === null) return false;
    const start = from - name.length - 1;
    view.dispatch({
      changes: { from: start, to: from, insert: text },
      selection: { anchor: start + text.length },
      userEvent: 'input.complete',
    });
    return true;
  });
