// Owns: where the words of an advice are written: as text, or as the rows of a plan. The text is the same.
import { lazy, Suspense, type ReactNode, type Ref } from 'react';
import { useConsole } from '../../state/hooks.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { AdviceEditorHandle } from './AdviceEditor.tsx';
import { PlanRows } from './PlanRows.tsx';
import type { KnownTool, Problem } from './planCheck.ts';
import type { AdviceState } from './useAdvice.ts';

/** Fetches the editor before the first question comes. */
export const loadEditor = () => import('./AdviceEditor.tsx');
const AdviceEditor = lazy(() => loadEditor().then((module) => ({ default: module.AdviceEditor })));

export type AnswerFieldProps = {
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
    <Suspense fallback={<Skeleton rows={5} label="Loading the editor" />}>
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
    </Suspense>
  );
}
