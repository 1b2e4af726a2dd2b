// Trying another call in the place of one that was made, from the details of its turn.
import { type ReactNode, useMemo, useState } from 'react';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { wrongText } from '../../../shared/schema/checkValue.ts';
import { CallForm } from '../call/CallForm.tsx';
import { writtenArguments, type WrittenCall, writtenFrom, writtenWrongs } from '../call/writtenCall.ts';
import { Folded } from '../timeline/Facts.tsx';
import { PlanEffect } from './PlanEffect.tsx';
import { usePlanEffect } from './usePlanEffect.ts';

/** Nothing where there are no tools to call: an import, or an episode that never began. */
export function TryFromHere({ turn, record }: { turn: Turn; record: EpisodeRecord }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  if (record.tools.length === 0 || turn.move === null) return null;
  return (
    <Folded label="Try another call here" onToggle={setIsOpen}>
      {isOpen ? <Form turn={turn} record={record} /> : null}
    </Folded>
  );
}

function Form({ turn, record }: { turn: Turn; record: EpisodeRecord }): ReactNode {
  const [written, setWritten] = useState(() => {
    const { move, call } = turn;
    const made = call?.sent ?? null;
    if (made !== null) return writtenFrom(made.toolName, made.arguments);
    if (move?.type === 'call_tool') return writtenFrom(move.tool_name, move.arguments);
    return writtenFrom(record.tools[0]?.name ?? '', {});
  });
  return (
    <>
      <CallForm tools={record.tools} written={written} onChange={setWritten} />
      <WrittenEffect record={record} afterTurn={turn.turn - 1} written={written} />
    </>
  );
}

/** `afterTurn`: the state that it is tried in. */
export function WrittenEffect({
  record,
  afterTurn,
  written,
}: {
  record: EpisodeRecord;
  afterTurn: number;
  written: WrittenCall;
}): ReactNode {
  const { id, tools } = record;
  const { calls, problem } = useMemo(() => {
    const wrongs = writtenWrongs(written, tools);
    const { args } = writtenArguments(written);
    return args === null || wrongs.length > 0
      ? { calls: [], problem: wrongText(wrongs) || 'The arguments are not valid JSON yet.' }
      : { calls: [{ tool_name: written.tool, arguments: args }], problem: null };
  }, [written, tools]);
  const effect = usePlanEffect({ episode: id, afterTurn, calls, problem, isOnlyAsked: true });
  return <PlanEffect effect={effect} tools={tools} />;
}
