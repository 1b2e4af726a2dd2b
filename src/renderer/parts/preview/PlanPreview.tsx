// Trying the calls of an advice before it is sent. Closed until asked for, so that typing costs nothing.
import { useMemo, useState, type ReactNode } from 'react';
import { parsePlan } from '../../../shared/plan.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import type { AdviceState } from '../advice/useAdvice.ts';
import { Folded } from '../timeline/Facts.tsx';
import { Preview } from './Preview.tsx';

type Props = { item: DeskItem; advice: AdviceState; sendLabel: string };

export function PlanPreview(props: Props): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Folded label="Try the plan first" onToggle={setIsOpen}>
      {isOpen ? <PlanTry {...props} /> : null}
    </Folded>
  );
}

/** As many calls as a try makes. */
const CALLS_MAX = 50;

function PlanTry({ item: { episode, turn }, advice, sendLabel }: Props): ReactNode {
  const { text, draft, isEdited, accept, send } = advice;
  const commit =
    draft !== null && !isEdited
      ? { label: 'Accept the draft', run: accept }
      : { label: sendLabel, run: send };
  const calls = useMemo(
    () => parsePlan(text).calls.map(({ tool, args }) => ({ tool_name: tool, arguments: args as JsonObject })),
    [text],
  );
  const problem =
    calls.length === 0
      ? 'No calls to try in this text.'
      : calls.length > CALLS_MAX
        ? `A trial makes at most ${String(CALLS_MAX)} calls.`
        : null;
  return <Preview episode={episode} afterTurn={turn} calls={calls} problem={problem} commit={commit} />;
}
