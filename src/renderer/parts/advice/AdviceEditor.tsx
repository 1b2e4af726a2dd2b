// The editor of an advice: plain words in place, problems underlined, the draft's changes shown on demand. Loaded
// apart from the rest of the page.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { unifiedMergeView } from '@codemirror/merge';
import {
  Annotation,
  Compartment,
  EditorState,
  StateEffect,
  StateField,
  type Extension,
} from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  keymap,
  placeholder,
  type DecorationSet,
} from '@codemirror/view';
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, type ReactNode, type Ref } from 'react';
import * as styles from './AdviceEditor.module.css';
import { editorTheme } from './editorTheme.ts';
import { invisibleMarks } from './invisibleMarks.ts';
import type { Problem } from './planCheck.ts';
import { snippetInput } from './snippetInput.ts';

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
