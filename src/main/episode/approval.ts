// Decides if a proposed call needs a person, and carries out what that person decided. An edited call is the only one
// dispatched; the original never is.
import { isAtSeat, SYSTEM } from '../../shared/events/actor.ts';
import type { ApprovalRule } from '../../shared/events/stepIns.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import type { Call, CallDecision, EpisodeRecord } from '../../shared/episode/record.ts';
import { fitsGlob, holdsArgument } from '../../shared/glob.ts';
import { isToolError } from '../../shared/wire.ts';
import { append, recordOf, type EpisodeStage } from './stage.ts';
import { callOf } from '../../shared/episode/calls.ts';

export type ProposedCall = { tool_name: string; arguments: JsonObject };
type ProposedTurn = { call: string; turn: number; confidence?: number | null };

/** Stated confidence and the limit it is below; null where it is not, or said nothing. */
export function unsureLimit(
  { spec }: Pick<EpisodeStage, 'spec'>,
  { confidence }: Pick<ProposedTurn, 'confidence'>,
): { stated: number; below: number } | null {
  const below = spec.confidence?.below ?? null;
  const stated = confidence ?? null;
  return below === null || stated === null || stated >= below ? null : { stated, below };
}

/** `40 % sure, below 60 %`. */
export const confidenceText = ({ stated, below }: { stated: number; below: number }): string =>
  `${String(Math.round(stated * 100))} % sure, below ${String(Math.round(below * 100))} %`;

/** Holds the call where a rule or a breakpoint says so, and waits for a decision; null where nobody needs to decide. */
export async function decisionOn(
  stage: EpisodeStage,
  { call, turn, confidence = null }: ProposedTurn,
  proposed: ProposedCall,
): Promise<CallDecision | null> {
  const record = recordOf(stage);
  const known = callOf(record, call);
  // It was judged before the program was killed.
  if (known !== null && known.held === null) return null;
  if (known === null) {
    const limit = stage.spec.confidence?.to === 'desk' ? unsureLimit(stage, { confidence }) : null;
    const unsure = limit === null ? null : { why: 'confidence' as const, rule: confidenceText(limit) };
    const { hold: judged, waived } = judgeCall(record, proposed);
    const hold = judged ?? unsure;
    if (hold === null) {
      if (waived !== null) append(stage, SYSTEM, { kind: 'call.waived', call, rule: waived });
      return null;
    }
    const { deadline_ms, fallback } = stage.spec.approval;
    append(stage, SYSTEM, {
      kind: 'call.held',
      call,
      turn,
      ...hold,
      deadline_at: deadline_ms === null ? null : stage.clock() + deadline_ms,
      fallback,
    });
  }
  const decision = await stage.desk.waitForCall(stage.id, call, stage.signal);
  stage.signal.throwIfAborted();
  return decision;
}

/** The reason why a call waits, or not. A breakpoint counts before any rule. */
export function judgeCall(
  record: EpisodeRecord,
  proposed: ProposedCall,
): { hold: { why: 'rule' | 'breakpoint'; rule: string | null } | null; waived: string | null } {
  const hit = record.breakpoints.find(({ at }) =>
    at.on === 'tool'
      ? fitsGlob(at.glob, proposed.tool_name) && holdsArgument(proposed.arguments, at.argument)
      : at.on === 'repeated_call' && isRepeated(record, proposed),
  );
  if (hit !== undefined) return { hold: { why: 'breakpoint', rule: hit.id }, waived: null };
  if (record.rules.length === 0) return { hold: null, waived: null };
  const rule = record.rules.find((one) => fitsRule(one, proposed));
  if (rule === undefined) return { hold: null, waived: 'no rule fits' };
  return judgeByRule(record, rule);
}

function judgeByRule(record: EpisodeRecord, rule: ApprovalRule): ReturnType<typeof judgeCall> {
  const words = ruleWords(rule);
  const asks = { hold: { why: 'rule' as const, rule: words }, waived: null };
  const waives = { hold: null, waived: words };
  const count = rule.count ?? 1;
  switch (rule.does) {
    case 'ask':
      return asks;
    case 'auto':
      return waives;
    case 'first':
      return record.turns.filter(({ call }) => call?.held?.rule === words).length < count ? asks : waives;
    case 'escalate': {
      const wrong = wentWrong(record, rule);
      return wrong >= count ? asks : { hold: null, waived: `${words}, ${String(wrong)} so far` };
    }
  }
}

const DOES_WORDS: Record<ApprovalRule['does'], (count: string) => string> = {
  auto: () => 'auto',
  ask: () => 'ask',
  first: (count) => `first ${count}`,
  escalate: (count) => `escalate after ${count}`,
};

/** A rule as people read it, and as the log names it. */
const ruleWords = ({ glob, argument, does, count }: ApprovalRule): string =>
  `${glob}${argument === null ? '' : ` with ${argument}`}: ${DOES_WORDS[does](String(count ?? 1))}`;

const fitsRule = ({ glob, argument }: ApprovalRule, proposed: ProposedCall): boolean =>
  fitsGlob(glob, proposed.tool_name) && holdsArgument(proposed.arguments, argument);

/** The agent's calls of a rule's kind that ended in an error, or that a person rejected or edited. */
const wentWrong = (record: EpisodeRecord, rule: ApprovalRule): number =>
  record.turns.filter(
    ({ actor, move, call }) =>
      !isAtSeat(actor) && move?.type === 'call_tool' && fitsRule(rule, move) && isWrong(call),
  ).length;

function isWrong(call: Call | null): boolean {
  const decision = call?.decision ?? null;
  if (decision?.type === 'rejected' || decision?.type === 'edited') return true;
  if (decision?.type === 'answered') return decision.isError;
  const returned = call?.returned ?? null;
  return returned !== null && isToolError(returned.error, returned.reward_type);
}

function isRepeated(record: EpisodeRecord, proposed: ProposedCall): boolean {
  const same = JSON.stringify([proposed.tool_name, proposed.arguments]);
  return record.turns.some(
    ({ call }) =>
      call !== null &&
      call.sent !== null &&
      JSON.stringify([call.sent.toolName, call.sent.arguments]) === same,
  );
}

/** Counts calls in a row, up to now, that a person rejected. */
export function rejectionsInARow(record: EpisodeRecord): number {
  const called = record.turns.filter(({ call }) => call !== null);
  const last = called.findLastIndex(({ call }) => call?.decision?.type !== 'rejected');
  return called.length - 1 - last;
}
