// Trying another call in the place of one that was made, from the details of its turn.
import { useState, type ReactNode } from 'react';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { CallForm } from '../call/CallForm.tsx';
import { wrongText } from '../../../shared/schema/checkValue.ts';
import { writtenArguments, writtenWrongs, writtenFrom } from '../call/writtenCall.ts';
import { Folded } from '../timeline/Facts.tsx';
import { Preview } from './Preview.tsx';

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
  const wrongs = writtenWrongs(written, record.tools);
  const { args } = writtenArguments(written);
  return (
    <>
      <CallForm tools={record.tools} written={written} onChange={setWritten} />
      <Preview
        episode={record.id}
        afterTurn={turn.turn - 1}
        calls={args === null ? [] : [{ tool_name: written.tool, arguments: args }]}
        problem={
          args === null || wrongs.length > 0
            ? wrongText(wrongs) || 'The arguments are not valid JSON yet.'
            : null
        }
      />
    </>
  );
}
