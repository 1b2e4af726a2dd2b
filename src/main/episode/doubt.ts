// A call that was sent, and whose answer was lost with the program. Where it may have had effects outside the episode
// nobody sends it again without a person's word.
import { kindOf } from '../../shared/environmentKinds.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import type { DoubtAct } from '../../shared/events/restarts.ts';
import type { Call, EpisodeRecord } from '../../shared/episode/record.ts';
import { waitFor } from '../log/waitFor.ts';
import { append, recordOf, type EpisodeStage } from './stage.ts';

/** What the agent reads in place of the result, where a person does not send the call again. */
export const UNKNOWN_OUTCOME =
  'It is not known whether this call was carried out: the program ended after it had been sent, before its result came. It was not sent again.';

/** A built-in world died with the program, and the new one never saw the call. */
export const isInDoubt = (
  { spec }: { spec: Pick<EpisodeStage['spec'], 'environment'> },
  call: Pick<Call, 'sent' | 'returned'> | null,
): boolean =>
  call !== null && call.sent !== null && call.returned === null && !kindOf(spec.environment).isPartOfProduct;

const callOf = ({ turns }: EpisodeRecord, id: string): Call | null =>
  turns.findLast(({ callId }) => callId === id)?.call ?? null;

/** Waits for a person's word on a call in doubt. What was said before another restart still holds. */
export function settleDoubt(
  stage: EpisodeStage,
  { call, turn }: { call: string; turn: number },
): Promise<DoubtAct> {
  const known = callOf(recordOf(stage), call)?.doubt;
  if (known === undefined || known.isSentAgain) append(stage, SYSTEM, { kind: 'call.doubted', call, turn });
  return waitFor(
    stage.log,
    stage.id,
    (record) => callOf(record, call)?.doubt?.settled?.act ?? null,
    stage.signal,
  );
}
