// What waits for a person besides questions: held calls, and episodes that stopped. Pure.
import type { HoldItem } from '../contract/rows.ts';
import type { PhaseCause } from '../events/stepIns.ts';
import { textHead } from '../events/text.ts';
import { type EpisodeRecord, taskRef, type Turn } from './record.ts';
import { isBrokenOff, openDoubt } from './restarts.ts';
import { ruleText } from './ruleText.ts';
import { replyOfTurn } from './severalCalls.ts';

const SAID_HEAD = 600;

const NAMED_TWICE =
  'it names an argument twice: the last one is shown, approving sends both, an edit replaces the whole call';

const PAUSE_WORDS: Record<PhaseCause, string> = {
  person: 'paused by a person',
  step: 'one step done',
  breakpoint: 'stopped at a breakpoint',
  rejections: 'three calls in a row were rejected: what should happen?',
};

/** Why an episode stopped. */
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
    ...(isBrokenOff(record) ? { is_stopped: true } : {}),
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
    why: turn.repairs.includes('duplicate_keys') ? `${why}; ${NAMED_TWICE}` : why,
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
