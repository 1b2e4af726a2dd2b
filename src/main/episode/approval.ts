// Owns: whether a proposed call needs a person, and what becomes of it once one has decided. An edited call is the
// only one dispatched; the original never is.
import { SYSTEM } from '../../shared/events/actor.ts';
import type { ApprovalRule, CallFallback } from '../../shared/events/stepIns.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import type { CallDecision, EpisodeRecord } from '../../shared/episode/record.ts';
import { fitsGlob, holdsArgument } from '../../shared/glob.ts';
import { append, recordOf, type Stage } from './stage.ts';

export type Proposed = { tool_name: string; arguments: JsonObject };
/** What may go on: the call as it takes effect, or the decision that keeps it from the environment. */
export type Approval =
  | { type: 'goes'; call: Proposed; edited: { reason: string | null } | null }
  | { type: 'rejected'; reason: string }
  | { type: 'answered'; text: string; isError: boolean };

type Why = { why: 'rule' | 'breakpoint'; rule: string | null };

/** Holds the call where a rule or a breakpoint says so, and waits for a person. */
export async function approve(
  stage: Stage,
  call: string,
  turn: number,
  proposed: Proposed,
): Promise<Approval> {
  const record = recordOf(stage);
  const goes: Approval = { type: 'goes', call: proposed, edited: null };
  const { hold, waived } = judge(record, proposed);
  if (hold === null) {
    if (waived !== null) append(stage, SYSTEM, { kind: 'call.waived', call, rule: waived });
    return goes;
  }
  const { deadlineMs, fallback } = stage.spec.approval;
  append(stage, SYSTEM, {
    kind: 'call.held',
    call,
    turn,
    ...hold,
    deadline_at: deadlineMs === null ? null : stage.clock() + deadlineMs,
    fallback,
  });
  const decision = await stage.desk.waitForCall(stage.id, call, stage.signal);
  stage.signal.throwIfAborted();
  return approvalOf(decision, proposed, fallback, stage);
}

function approvalOf(
  decision: CallDecision,
  proposed: Proposed,
  fallback: CallFallback,
  stage: Stage,
): Approval {
  switch (decision.type) {
    case 'approved':
      return { type: 'goes', call: proposed, edited: null };
    case 'edited':
      return {
        type: 'goes',
        call: { tool_name: decision.toolName, arguments: decision.arguments },
        edited: { reason: decision.reason },
      };
    case 'rejected':
      return { type: 'rejected', reason: decision.reason };
    case 'answered':
      return { type: 'answered', text: stage.log.texts.whole(decision.text), isError: decision.isError };
    case 'expired':
      return fallback === 'reject'
        ? { type: 'rejected', reason: 'nobody approved it in time' }
        : { type: 'goes', call: proposed, edited: null };
    case 'cancelled':
      return { type: 'rejected', reason: decision.reason };
  }
}

/** Why a call waits, or why it does not. A breakpoint counts before any rule. */
export function judge(
  record: EpisodeRecord,
  proposed: Proposed,
): { hold: Why | null; waived: string | null } {
  const hit = record.breakpoints.find(({ at }) =>
    at.on === 'tool'
      ? fitsGlob(at.glob, proposed.tool_name) && holdsArgument(proposed.arguments, at.argument)
      : at.on === 'repeated_call' && isRepeated(record, proposed),
  );
  if (hit !== undefined) return { hold: { why: 'breakpoint', rule: hit.id }, waived: null };
  if (record.rules.length === 0) return { hold: null, waived: null };
  const rule = record.rules.find(
    ({ glob, argument }) => fitsGlob(glob, proposed.tool_name) && holdsArgument(proposed.arguments, argument),
  );
  if (rule === undefined) return { hold: null, waived: 'no rule fits' };
  const words = ruleWords(rule);
  const isAsking =
    rule.does === 'ask' || (rule.does === 'first' && heldBefore(record, rule) < (rule.count ?? 1));
  return isAsking ? { hold: { why: 'rule', rule: words }, waived: null } : { hold: null, waived: words };
}

/** A rule as people read it, and as the log names it. */
export const ruleWords = ({ glob, argument, does, count }: ApprovalRule): string =>
  `${glob}${argument === null ? '' : ` with ${argument}`}: ${does === 'first' ? `first ${String(count ?? 1)}` : does}`;

const heldBefore = (record: EpisodeRecord, rule: ApprovalRule): number =>
  record.turns.filter(({ call }) => call?.held?.rule === ruleWords(rule)).length;

/** The same tool with the same arguments as an earlier call of the episode. */
function isRepeated(record: EpisodeRecord, proposed: Proposed): boolean {
  const same = JSON.stringify([proposed.tool_name, proposed.arguments]);
  return record.turns.some(
    ({ call }) =>
      call !== null &&
      call.sent !== null &&
      JSON.stringify([call.sent.toolName, call.sent.arguments]) === same,
  );
}

/** How many calls in a row, up to now, a person has rejected. */
export function rejectionsInARow(record: EpisodeRecord): number {
  const called = record.turns.filter(({ call }) => call !== null);
  const last = called.findLastIndex(({ call }) => call?.decision?.type !== 'rejected');
  return called.length - 1 - last;
}
