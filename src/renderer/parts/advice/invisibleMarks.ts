// Marks characters that cannot be seen in the editor, and takes them out with one key. The text is changed by that key
// alone: a mark is only drawn.
import { isolateHistory } from '@codemirror/commands';
import { RangeSetBuilder, type EditorState, type Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  keymap,
  ViewPlugin,
  WidgetType,
  type DecorationSet,
  type ViewUpdate,
} from '@codemirror/view';
import { countInvisible, stretches, withoutInvisible } from '../../../shared/invisible.ts';

/** Takes the marked characters out of the words. */
const STRIP_KEY = 'Alt-i';

class MarkWidget extends WidgetType {
  readonly label: string;
  readonly title: string;
  constructor(label: string, title: string) {
    super();
    this.label = label;
    this.title = title;
  }
  override eq(other: MarkWidget): boolean {
    return other.label === this.label && other.title === this.title;
  }
  override toDOM(): HTMLElement {
    const mark = document.createElement('span');
    mark.className = 'cm-invisible';
    mark.textContent = this.label;
    mark.title = this.title;
    mark.setAttribute('aria-label', this.title);
    return mark;
  }
}

function marksIn({ doc }: EditorState): DecorationSet {
  const marks = new RangeSetBuilder<Decoration>();
  let at = 0;
  for (const { text, mark } of stretches(doc.toString())) {
    if (mark !== null) {
      const widget = new MarkWidget(mark.label, mark.title);
      marks.add(at, at + text.length, Decoration.replace({ widget }));
    }
    at += text.length;
  }
  return marks.finish();
}

/** As one change, which one undo takes back. False where there is nothing to take out. */
function stripInvisible(view: EditorView): boolean {
  const text = view.state.doc.toString();
  if (view.state.readOnly || countInvisible(text) === 0) return false;
  view.dispatch({
    changes: { from: 0, to: text.length, insert: withoutInvisible(text) },
    annotations: isolateHistory.of('full'),
  });
  return true;
}

export const invisibleMarks = (): Extension => {
  const plugin = ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = marksIn(view.state);
      }
      update(update: ViewUpdate): void {
        if (update.docChanged) this.decorations = marksIn(update.state);
      }
    },
    {
      decorations: ({ decorations }) => decorations,
      // The cursor steps over a mark as over one character.
      provide: (own) =>
        EditorView.atomicRanges.of((view) => view.plugin(own)?.decorations ?? Decoration.none),
    },
  );
  return [plugin, keymap.of([{ key: STRIP_KEY, run: stripInvisible, preventDefault: true }])];
};
