// Where the words of an advice are written: as text, or as the rows of a plan. The text is the same.
import { useMemo, type ReactNode, type Ref } from 'react';
import { countInvisible, withoutInvisible } from '../../../shared/invisible.ts';
import { useConsole } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import { lazyPart } from '../../ui/LazyPart.tsx';
import * as styles from './AdviceCard.module.css';
import type { AdviceEditorHandle } from './AdviceEditor.tsx';
import { PlanRows } from './PlanRows.tsx';
import type { KnownTool, Problem } from './planCheck.ts';
import type { AdviceState } from './useAdvice.ts';

const AdviceEditor = lazyPart(async () => (await import('./AdviceEditor.tsx')).AdviceEditor, {
  label: 'Loading the editor',
  rows: 5,
});
/** Fetches the editor before the first question comes. */
export const loadEditor = AdviceEditor.preload;

type AnswerFieldProps = {
  advice: AdviceState;
  tools: readonly KnownTool[];
  problems: readonly Problem[];
  problemsId: string;
  original: string | null;
  isReadOnly: boolean;
  isRows: boolean;
  onLeave: () => void;
  ref: Ref<AdviceEditorHandle>;
};

export function AnswerField(props: AnswerFieldProps): ReactNode {
  const { advice, tools, problems, problemsId, original, isReadOnly, isRows, onLeave, ref } = props;
  const snippets = useConsole(({ ui }) => ui.snippets);
  if (isRows)
    return <PlanRows text={advice.text} tools={tools} isReadOnly={isReadOnly} onChange={advice.type} />;
  return (
    <>
      {isReadOnly ? null : <HiddenNote text={advice.text} onStrip={advice.type} />}
      <AdviceEditor
        ref={ref}
        label="Advice"
        describedBy={problemsId}
        value={advice.text}
        onChange={advice.type}
        onLeave={onLeave}
        problems={problems}
        original={original}
        isReadOnly={isReadOnly}
        hint="What should the agent do? A plan in JSON, lines like tool_name({…}), or plain words."
        snippet={(name) => (Object.hasOwn(snippets, name) ? (snippets[name] ?? null) : null)}
      />
    </>
  );
}

/** Says how much stands in the words that nobody sees, and takes it out. */
function HiddenNote({ text, onStrip }: { text: string; onStrip: (text: string) => void }): ReactNode {
  const count = useMemo(() => countInvisible(text), [text]);
  if (count === 0) return null;
  return (
    <p className={styles.hidden} role="status">
      {count === 1
        ? '1 invisible character is marked and would be sent.'
        : `${String(count)} invisible characters are marked and would be sent.`}
      <Button size="small" tone="quiet" onClick={() => onStrip(withoutInvisible(text))}>
        Remove {count === 1 ? 'it' : 'them'} <Kbd chord="alt+i" />
      </Button>
    </p>
  );
}
