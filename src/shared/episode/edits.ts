// What of a person's decisions on calls changed anything. Sending a call on as it was proposed is no intervention,
// whatever form it was sent with.
import type { Call, CallDecision, Turn } from './record.ts';
import type { Move } from '../events/turns.ts';
import { canonical } from '../canonical.ts';

/** Whether a person sent a call as it was proposed, though through the form for changing it. */
export const isUnchangedEdit = (move: Move | null, decision: CallDecision | null): boolean =>
  decision?.type === 'edited' &&
  move?.type === 'call_tool' &&
  decision.toolName === move.tool_name &&
  canonical(decision.arguments) === canonical(move.arguments);

/** Whether nobody approved a call in time, so that it was not made. */
export const hasExpired = (call: Pick<Call, 'decision'> | null): boolean =>
  call?.decision?.type === 'expired' && call.decision.fallback !== 'approve';

/** Whether a person changed what a client's turn did; one that nobody approved in time is changed by nobody. */
export const isTouchedByPerson = ({ touched }: Pick<Turn, 'touched'>): boolean =>
  touched !== null && touched !== 'expired';

/** What was decided about a turn's call; null where nothing was, or it changed nothing. */
export const changingDecision = ({ move, call }: Turn): CallDecision | null => {
  const decision = call?.decision ?? null;
  return isUnchangedEdit(move, decision) ? null : decision;
};
