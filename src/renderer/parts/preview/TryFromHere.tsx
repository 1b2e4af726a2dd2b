// Trying another call in the place of one that was made, from the details of its turn.
import { useState, type ReactNode } from 'react';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { CallForm } from '../call/CallForm.tsx';
import { writtenFrom } from '../call/writtenCall.ts';
import { Folded } from '../timeline/Facts.tsx';
import { WrittenEffect } from './WrittenEffect.tsx';

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
