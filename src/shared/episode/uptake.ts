// Tells if the agent did what an advice asked for: its calls, matched in order with the calls that came after; and what
// became of an answer, in one line. Derived from the record wherever it is shown; never stored.
import { canonical } from '../canonical.ts';
import { textHead, isBlobRef } from '../events/text.ts';
import { parsePlan, type PlannedCall } from '../plan.ts';
import { outcomeOf, type TaskOutcome } from '../taskOutcome.ts';
import { isToolError } from '../wire.ts';
import { isCopiedAt } from './branch.ts';
import { isFinished } from './phase.ts';
import type { Consultation, EpisodeRecord, Turn } from './record.ts';
import { isReplyUnknown, isBrokenOff } from './restarts.ts';
import { turnSentence } from './turnSentence.ts';

export type UptakeVerdict = 'followed' | 'partly' | 'ignored' | 'contradicted';

type Uptake = {
  verdict: UptakeVerdict;
  /** Calls the advice names. */
  planned: number;
  /** Of these, made later with the same arguments, in this order. */
  followed: number;
  /** Made later on the same record, with other arguments. */
  changed: number;
  /** Not made; instead the same tool was called on another record. */
  contradicted: number;
  /** Of those made as advised, refused by the environment or without an answer. */
  failed: number;
  /** True while the agent may still make more of them. */
  isOpen: boolean;
};

type UptakeTone = 'followed' | 'partly' | 'failed';
type UptakeTotals = Record<UptakeVerdict, number>;

/** Null when there is nothing to compare: no calls in the advice, nothing done since that could tell, or it is covered. */
export function uptakeOf(record: EpisodeRecord, consultation: Consultation): Uptake | null {
  const { id, decision } = consultation;
  if (decision?.type !== 'approved' || isBlobRef(decision.text)) return null;
  if (record.started?.is_covered === true) return null;
  const { calls } = parsePlan(textHead(decision.text));
  const until = nextAsk(record, id);
  const since = turnsSince(record, consultation);
  const made = since.filter((t) => isMadeCall(record, t));
  const isOver = until !== Number.POSITIVE_INFINITY || isFinished(record.ended?.outcome);
  const hasGoneOn = made.length > 0 || (since.length > 0 && isOver);
  if (calls.length === 0 || !hasGoneOn) return null;
  const counts = { followed: 0, changed: 0, contradicted: 0 };
  for (const { call, turn } of matchesOf(calls, made)) {
    if (isSameCall(turn, call)) counts.followed += 1;
    else if (isOnAnother(turn, call)) counts.contradicted += 1;
    else counts.changed += 1;
  }
  const isOpen = !isOver && record.ended === null;
  const failed = failedAsAdvised(record, consultation);
  return { verdict: uptakeVerdict(calls.length, counts), planned: calls.length, ...counts, failed, isOpen };
}

/** Each planned call with the turn that made it, or one of its tool, in order. */
function matchesOf(
  calls: readonly PlannedCall[],
  made: readonly Turn[],
): { call: PlannedCall; turn: Turn }[] {
  let at = 0;
  return calls.flatMap((call) => {
    const same = made.findIndex((turn, index) => index >= at && isSameCall(turn, call));
    const near = made.findIndex((turn, index) => index >= at && calledTool(turn) === call.tool);
    const hit = same === -1 ? near : same;
    const turn = made[hit];
    if (turn === undefined) return [];
    at = hit + 1;
    return [{ call, turn }];
  });
}

/** The number of calls made as advised that went wrong: refused by the environment, or without an answer. */
function failedAsAdvised(record: EpisodeRecord, consultation: Consultation): number {
  const { decision } = consultation;
  if (decision?.type !== 'approved' || isBlobRef(decision.text)) return 0;
  const { calls } = parsePlan(textHead(decision.text));
  const made = turnsSince(record, consultation).filter((turn) => isMadeCall(record, turn));
  return matchesOf(calls, made).filter(({ call, turn }) => isSameCall(turn, call) && hasFailed(record, turn))
    .length;
}

/**
 * A call that got no answer has failed once the agent went on, or the episode is over; of one whose answer was lost in a
 * restart nobody knows.
 */
function hasFailed({ turns, ended }: EpisodeRecord, turn: Turn): boolean {
  const { returned = null, decision = null } = turn.call ?? {};
  if (returned !== null) return isToolError(returned.error, returned.reward_type);
  if (decision?.type === 'answered') return decision.isError;
  return !isReplyUnknown(turn.call) && (ended !== null || turn !== turns.at(-1));
}

/** The agent's turns after an advice, up to its next question. A person's in its place say nothing of it. */
function turnsSince(record: EpisodeRecord, { id, turn }: Consultation): Turn[] {
  const until = nextAsk(record, id);
  return record.turns.filter((t) => t.turn > turn && t.turn < until && t.actor.type !== 'human');
}

const isMadeCall = (record: EpisodeRecord, turn: Turn): boolean =>
  turn.move?.type === 'call_tool' && isMade(record, turn);

/** The first turn after an advice that made a call; null where none did. */
const firstCallSince = (record: EpisodeRecord, consultation: Consultation): Turn | null =>
  turnsSince(record, consultation).find((turn) => isMadeCall(record, turn)) ?? null;

/** A call that waits, was turned down or was refused has not been made, whatever the agent wanted. */
function isMade({ turns, ended }: EpisodeRecord, turn: Turn): boolean {
  const { call } = turn;
  if (call === null) return ended !== null || turn !== turns.at(-1);
  if (call.sent !== null || call.returned !== null) return true;
  const { refused, held, decision } = call;
  if (refused !== null) return false;
  if (decision === null) return held === null && ended !== null;
  return decision.type === 'answered';
}

function uptakeVerdict(
  planned: number,
  { followed, changed, contradicted }: Pick<Uptake, 'followed' | 'changed' | 'contradicted'>,
): UptakeVerdict {
  if (followed === planned) return 'followed';
  if (contradicted > 0) return 'contradicted';
  return followed + changed > 0 ? 'partly' : 'ignored';
}

/** Its tone on screen: what goes against the advice, or went wrong as advised, is a failure. */
export function uptakeTone({ verdict, failed }: Pick<Uptake, 'verdict' | 'failed'>): UptakeTone {
  if (failed > 0 || verdict === 'ignored' || verdict === 'contradicted') return 'failed';
  return verdict;
}

/**
 * `followed: 2 of 2 calls, 1 failed`, `followed in part: 2 of 3 calls, 1 with other arguments`, `not
 * followed so far`, `not followed: 1 call on another record`.
 */
export function uptakeWords({ planned, followed, changed, contradicted, failed, isOpen }: Uptake): string {
  const counted = (count: number, what: string): string => (count === 0 ? '' : `, ${String(count)} ${what}`);
  const soFar = isOpen && followed < planned ? ' so far' : '';
  if (followed + changed === 0) {
    const many = `${String(contradicted)} ${contradicted === 1 ? 'call' : 'calls'} on another record`;
    return `not followed${soFar}${contradicted === 0 ? '' : `: ${many}`}`;
  }
  const isBent = changed + contradicted > 0;
  const verb = followed === planned || (isOpen && !isBent) ? 'followed' : 'followed in part';
  const made = `${String(followed)} of ${String(planned)} ${planned === 1 ? 'call' : 'calls'}`;
  const apart = [
    counted(failed, 'failed'),
    counted(changed, 'with other arguments'),
    counted(contradicted, 'on another record'),
  ].join('');
  return `${verb}: ${made}${apart}${soFar}`;
}

/**
 * Counts each verdict over an episode's advice. Advice with nothing to compare counts nowhere; advice that was copied
 * from another episode counts there.
 */
export function uptakeTotals(record: EpisodeRecord): UptakeTotals {
  const totals: UptakeTotals = { followed: 0, partly: 0, ignored: 0, contradicted: 0 };
  for (const consultation of record.consultations) {
    if (isCopiedAt(record, consultation.askedN)) continue;
    const uptake = uptakeOf(record, consultation);
    if (uptake !== null) totals[uptake.verdict] += 1;
  }
  return totals;
}

/** `2 followed, 1 ignored`; empty when no advice could be compared. */
export const totalsText = (totals: UptakeTotals): string =>
  (Object.entries(totals) as [UptakeVerdict, number][])
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${String(count)} ${verdict}`)
    .join(', ');

function nextAsk({ consultations }: EpisodeRecord, id: string): number {
  const index = consultations.findIndex((consultation) => consultation.id === id);
  return consultations[index + 1]?.turn ?? Number.POSITIVE_INFINITY;
}

/** The agent's own arguments, before any person's edit. */
const turnArguments = ({ move }: Turn): Record<string, unknown> =>
  move?.type === 'call_tool' ? move.arguments : {};
const calledTool = ({ move }: Turn): string => (move?.type === 'call_tool' ? move.tool_name : '');
const isSameCall = (turn: Turn, { tool, args }: PlannedCall): boolean =>
  calledTool(turn) === tool && canonical(turnArguments(turn)) === canonical(args);

/** Arguments that say which record is meant, rather than what becomes of it: `id`, `order_id`, `name`, `email`. */
const NAMES_RECORD = /(^|_)(id|ids|uuid|key|code|slug|email|username|name|number|ref|reference)$/i;

function isOnAnother(turn: Turn, { args }: PlannedCall): boolean {
  const made = turnArguments(turn);
  return Object.entries(args).some(
    ([name, value]) =>
      NAMES_RECORD.test(name) && Object.hasOwn(made, name) && canonical(made[name]) !== canonical(value),
  );
}

/** The outcome of the task; null while it goes on, and where a seat is not to know. */
export function endOf({ started, ended, verified }: EpisodeRecord): TaskOutcome | null {
  if (ended === null || started?.is_covered === true) return null;
  const label = ended.reward_type ?? verified?.reward_type ?? null;
  return outcomeOf(label, ended.reward ?? verified?.reward ?? null);
}

const END_WORDS: Readonly<Record<TaskOutcome['kind'], string>> = {
  complete: 'Task complete.',
  partly: 'Task partly complete.',
  failed: 'Task failed.',
  unknown: 'Ended without a verdict.',
};

/** Failure code in place of a brief's draft, for readers of a blinded run. */
export const COVERED_CODE = 'covered';
export const BLINDED = 'This run is blinded: how it goes on is not shown.';

/** The outcome of the task, as a sentence; null while it goes on. */
export function endWords(record: EpisodeRecord): string | null {
  const end = endOf(record);
  return end === null ? null : END_WORDS[end.kind];
}

/** `Followed: 2 of 4 calls so far.`; `Followed: 4 of 4 calls. Task complete.`; null where nothing was answered. */
export function adviceOutcome(record: EpisodeRecord, consultation: Consultation): string | null {
  const { decision } = consultation;
  if (decision?.type !== 'approved' && decision?.type !== 'declined') return null;
  if (record.started?.is_covered === true) return BLINDED;
  if (isBrokenOff(record) && consultation.delivered === null)
    return 'The episode is stopped: the agent reads it once it goes on.';
  const after = decision.type === 'declined' ? null : followedText(record, consultation);
  const words = [after, endWords(record)].filter((part) => part !== null);
  return words.length > 0 ? words.join(' ') : nextCallText(record);
}

/** Says what its next call waits for. An episode that stopped when Interject ended makes none before it goes on. */
export const nextCallText = (record: EpisodeRecord): string =>
  isBrokenOff(record)
    ? 'The episode is stopped: it makes its next call once it goes on.'
    : 'Waiting for its next call.';

/** Says if the agent did what an advice says; null while nothing can be said. */
export function followedText(record: EpisodeRecord, consultation: Consultation): string | null {
  const { decision } = consultation;
  if (decision?.type !== 'approved' || isBlobRef(decision.text)) return null;
  if (parsePlan(textHead(decision.text)).calls.length === 0) return 'Plain text: no calls to compare.';
  const uptake = uptakeOf(record, consultation);
  if (uptake === null) return record.ended === null ? null : 'Not followed: it made no call.';
  const words = uptakeWords(uptake);
  const said = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  if (uptake.followed + uptake.changed > 0) return `${said}.`;
  const instead = firstCallSince(record, consultation);
  return instead === null
    ? `${said}: it made no call.`
    : `${said}${uptake.contradicted > 0 ? ', ' : ': '}it did this instead: ${turnSentence(record, instead)}.`;
}
