// Trying a call that a person writes, when they ask for it: nobody waits for a decision on it.
import { useMemo, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { wrongText } from '../../../shared/schema/checkValue.ts';
import { writtenArguments, writtenWrongs, type WrittenCall } from '../call/writtenCall.ts';
import { PlanEffect } from './PlanEffect.tsx';
import { usePlanEffect } from './usePlanEffect.ts';

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
