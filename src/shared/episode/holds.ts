// What waits for a person besides questions: held calls, and episodes that stopped. Pure.
import type { HoldItem } from '../contract/rows.ts';
import type { PhaseCause } from '../events/stepIns.ts';
import { textHead } from '../events/text.ts';
import { toolWords } from '../sentences/words.ts';
import { type EpisodeRecord, taskRef, type Turn } from './record.ts';
import { openDoubt } from './restarts.ts';

const SAID_HEAD = 600;

const PAUSE_WORDS: Record<PhaseCause, string> = {
  person: 'paused by a person',
  step: 'one step done',
  breakpoint: 'stopped at a breakpoint',
  rejections: 'three calls in a row were rejected: what should happen?',
};

export const pauseWords = (cause: PhaseCause | null): string => PAUSE_WORDS[cause ?? 'person'];

/** The call or the pause that waits in an episode; where both wait, the call alone. */
export function holdItems(record: EpisodeRecord): HoldItem[] {
  if (record.started === null || record.ended !== null) return [];
  const doubted = openDoubt(record);
  if (doubted !== null) return [doubtHold(record, doubted)];
  const last = record.turns.at(-1);
  if (last?.call?.held && last.call.decision === null) return [callHold(record, last)];
  if (record.phase !== 'paused') return [];
  const why = pauseWords(record.phaseCause);
  return [
    { ...common(record), type: 'pause', key: record.id, why, deadline_at: null, fallback: null, call: null },
  ];
}

/** Whether the newest call waits for a person. */
export function hasHeldCall({ turns }: EpisodeRecord): boolean {
  const call = turns.at(-1)?.call ?? null;
  return call !== null && call.held !== null && call.decision === null;
}

function common(record: EpisodeRecord) {
  const { started, reset } = record;
  return {
    episode: record.id,
    seq: record.seq,
    ...taskRef(record),
    task: reset?.task ?? null,
    turn: record.counts.turns,
    turn_limit: started?.limits?.turns ?? null,
    is_tapped: record.tapped !== null,
    since: record.phaseAt ?? record.updatedAt ?? 0,
  };
}

function doubtHold(record: EpisodeRecord, { turn, call }: Turn): HoldItem {
  const { id = '', sent = null, doubt } = call ?? {};
  return {
    ...common(record),
    type: 'doubt',
    key: `${record.id}:doubt:${id}`,
    turn,
    since: doubt?.at ?? 0,
    why: 'a call was sent, and its answer was lost at the restart',
    deadline_at: null,
    fallback: null,
    call: null,
    doubt: {
      id,
      tool_name: sent?.toolName ?? '',
      arguments: sent?.arguments ?? {},
      sent_at: sent?.at ?? 0,
    },
  };
}

function callHold(record: EpisodeRecord, turn: Turn): HoldItem {
  const { call, move } = turn;
  const held = call?.held ?? null;
  const why =
    held?.why === 'breakpoint'
      ? 'stopped at a breakpoint'
      : held?.why === 'step'
        ? record.phase === 'correcting'
          ? 'held while a person acts'
          : 'held while the episode is paused'
        : held?.why === 'confidence'
          ? `the agent is unsure (${held.rule ?? ''})`
          : `needs approval (rule${held?.rule ? `: ${ruleText(held.rule)}` : ''})`;
  return {
    ...common(record),
    type: 'call',
    key: `${record.id}:${call?.id ?? ''}`,
    since: held?.at ?? 0,
    why,
    deadline_at: held?.deadline_at ?? null,
    fallback: held?.fallback ?? null,
    call: {
      id: call?.id ?? '',
      tool_name: move?.type === 'call_tool' ? move.tool_name : '',
      arguments: move?.type === 'call_tool' ? move.arguments : {},
      // A further call has no words of its own: the reply's are those of its first turn.
      said: textHead((replyOfTurn(record, turn) ?? turn).content).slice(0, SAID_HEAD),
    },
  };
}

// An approval rule as people read it. The log names it in its own short form.
const RULE =
  /^(?<glob>.*?)(?: with (?<argument>.*))?: (?:(?<does>ask|auto)|first (?<first>\d+)|escalate after (?<escalate>\d+)(?:, (?<wrong>\d+) so far)?)$/s;

/** A longer one stays as it is. */
const RULE_MAX = 1000;

/** Of `*: ask` it makes "every call"; what is not in the log's form stays as it is. */
export function ruleText(rule: string): string {
  const { glob, argument, first, escalate, wrong } =
    (rule.length > RULE_MAX ? null : RULE.exec(rule))?.groups ?? {};
  if (glob === undefined) return rule;
  const which = `${toolsLike(glob)}${argument === undefined ? '' : ` with “${argument}” in it`}`;
  if (first !== undefined)
    return first === '1' ? `the first call${which}` : `the first ${first} calls${which}`;
  const every = `every call${which}`;
  if (escalate === undefined) return every;
  const failures = escalate === '1' ? '1 failure' : `${escalate} failures`;
  return `${every} after ${failures}${wrong === undefined ? '' : `, ${wrong} so far`}`;
}

/** Which tools a glob names: those that start with "get", end with "order", or one by its name. */
function toolsLike(glob: string): string {
  if (glob === '*') return '';
  const parts = glob.split('*').map((part) => (part === '' ? '' : toolWords(part)));
  const [first = '', last = ''] = parts;
  if (parts.length === 1) return ` to ${first}`;
  if (parts.length === 2 && last === '') return ` of tools that start with “${first}”`;
  if (parts.length === 2 && first === '') return ` of tools that end with “${last}”`;
  return ` of tools like “${parts.join(' … ').trim()}”`;
}

/** The turn that holds the words and all calls of the reply that this turn belongs to. */
const replyOfTurn = ({ turns }: EpisodeRecord, { turn, replyOf }: Turn): Turn | undefined =>
  turns.find((one) => one.turn === (replyOf ?? turn));

/** Which call of its reply a turn is, counted from 1, and all of them by name; null where the reply made one. */
export function placeInReply(record: EpisodeRecord, number: number): { nth: number; names: string[] } | null {
  const turn = record.turns.find((one) => one.turn === number);
  const reply = turn === undefined ? undefined : replyOfTurn(record, turn);
  // Where only the first was carried out, the others are told as left out.
  if (reply === undefined || reply.ignoredCalls > 0) return null;
  const names = reply.toolCalls.map(({ name }) => name);
  const made = record.turns.filter(
    ({ turn: one, replyOf }) => one <= number && (one === reply.turn || replyOf === reply.turn),
  );
  return names.length < 2 ? null : { nth: made.length, names };
}
