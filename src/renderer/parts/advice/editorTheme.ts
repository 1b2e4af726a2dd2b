// How the editor looks, from the console's own tokens, so that every theme holds in it.
import { EditorView } from '@codemirror/view';

export const editorTheme = EditorView.theme({
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
