// The editor of an advice: plain words in place, problems underlined, the draft's changes shown on demand. Loaded
// apart from the rest of the page.
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { unifiedMergeView } from '@codemirror/merge';
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  StateField,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { countInvisible, stretches, withoutInvisible } from '../../../shared/invisible.ts';
import * as styles from './AdviceEditor.module.css';
import type { Problem } from './planCheck.ts';

export type AdviceEditorHandle = { focus: () => void };
type AdviceEditorProps = {
  label: string;
  describedBy: string;
  value: string;
  onChange: (value: string) => void;
  /** Escape leaves the editor, nothing else. */
  onLeave: () => void;
  problems: readonly Problem[];
  /** The text to show changes against; null for none. */
  original: string | null;
  isReadOnly: boolean;
  hint: string;
  /** The text a name stands for. */
  snippet: (name: string) => string | null;
  ref?: Ref<AdviceEditorHandle>;
};

/** A change that came from outside: it must not be reported back as typed. */
const Outside = Annotation.define<boolean>();
const setProblems = StateEffect.define<DecorationSet>();

const problemField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    const moved = marks.map(transaction.changes);
    return transaction.effects.reduce(
      (last, effect) => (effect.is(setProblems) ? effect.value : last),
      moved,
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

const underlines = (problems: readonly Problem[], length: number): DecorationSet =>
  Decoration.set(
    problems.flatMap(({ range, message }) =>
      range === null || range.to > length || range.from >= range.to
        ? []
        : Decoration.mark({ class: 'cm-problem', attributes: { title: message } }).range(
            range.from,
            range.to,
          ),
    ),
    true,
  );

const differences = (original: string | null): Extension =>
  original === null
    ? []
    : unifiedMergeView({ original, mergeControls: false, gutter: false, allowInlineDiffs: true });

const parts = () => ({ diff: new Compartment(), readOnly: new Compartment(), labels: new Compartment() });

export function AdviceEditor(props: AdviceEditorProps): ReactNode {
  const { label, describedBy, value, problems, original, isReadOnly, ref } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const compartments = useRef(parts());
  const newest = useRef(props);
  useLayoutEffect(() => {
    newest.current = props;
  });

  useLayoutEffect(() => {
    const parent = host.current;
    if (parent === null) return undefined;
    const { diff, readOnly, labels } = compartments.current;
    const { value: doc, hint } = newest.current;
    const editor = new EditorView({
      parent,
      state: EditorState.create({
        doc,
        extensions: [
          history(),
          drawSelection(),
          invisibleMarks(),
          snippetInput((name) => newest.current.snippet(name)),
          EditorView.lineWrapping,
          placeholder(hint),
          keymap.of([
            { key: 'Escape', run: () => (newest.current.onLeave(), true) },
            ...historyKeymap,
            // Ctrl+Enter sends; it is the page's, not the editor's.
            ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
          ]),
          EditorView.updateListener.of((update) => {
            const isTyped = !update.transactions.some(
              (transaction) => transaction.annotation(Outside) === true,
            );
            if (update.docChanged && isTyped) newest.current.onChange(update.state.doc.toString());
          }),
          problemField,
          diff.of([]),
          readOnly.of([]),
          labels.of([]),
          editorTheme,
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  useLayoutEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: Outside.of(true),
    });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: setProblems.of(underlines(problems, view.current.state.doc.length)) });
  }, [problems]);
  useEffect(() => {
    view.current?.dispatch({ effects: compartments.current.diff.reconfigure(differences(original)) });
  }, [original]);
  useEffect(() => {
    const { readOnly, labels } = compartments.current;
    view.current?.dispatch({
      effects: [
        readOnly.reconfigure([EditorState.readOnly.of(isReadOnly), EditorView.editable.of(!isReadOnly)]),
        labels.reconfigure(
          EditorView.contentAttributes.of({
            'aria-label': label,
            'aria-describedby': describedBy,
            'aria-multiline': 'true',
            spellcheck: 'false',
          }),
        ),
      ],
    });
  }, [isReadOnly, label, describedBy]);
  useImperativeHandle(ref, () => ({ focus: () => view.current?.focus() }), []);

  return <div ref={host} className={styles.editor} />;
}

const editorTheme = EditorView.theme({
  '&': {
    backgroundColor: 'var(--surface-1)',
    color: 'var(--ink-1)',
    fontSize: 'var(--text-12)',
    minHeight: '100%',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--ink-1)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-placeholder': { color: 'var(--ink-3)', fontFamily: 'var(--font-ui)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink-1)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '.cm-problem': {
    textDecoration: 'underline wavy var(--error)',
    textUnderlineOffset: '3px',
    backgroundColor: 'var(--error-soft)',
  },
  '.cm-invisible': {
    display: 'inline-block',
    margin: '0 1px',
    padding: '0 3px',
    border: '1px solid var(--error)',
    borderRadius: '3px',
    backgroundColor: 'var(--error-soft)',
    color: 'var(--error)',
    fontSize: '0.8em',
    lineHeight: '1.3',
  },
  '.cm-changedLine, &.cm-merge-b .cm-changedLine': { backgroundColor: 'transparent' },
  '&.cm-merge-b .cm-changedText, .cm-insertedLine': {
    background: 'var(--ok-soft)',
    color: 'var(--ok)',
    textDecoration: 'underline 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-deletedChunk': { backgroundColor: 'transparent', padding: '0 12px' },
  '.cm-deletedChunk .cm-deletedLine, .cm-deletedText, .cm-deletedChunk .cm-deletedText': {
    background: 'var(--error-soft)',
    color: 'var(--error)',
    textDecoration: 'line-through',
  },
});

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

const invisibleMarks = (): Extension => {
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

/** The snippet name just before a place in a line, or null. */
const snippetBefore = (line: string): string | null =>
  /(?:^|\s);([A-Za-z0-9_-]{1,40})$/.exec(line)?.[1] ?? null;

/** Puts a text in place of its name as the space after it is typed; a name nobody gave stays as it is. */
const snippetInput = (textOf: (name: string) => string | null): Extension =>
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
