// The walkthrough of an episode: the lines of its timeline that say who did what, with what came of a call. Pure.
import { z } from 'zod';
import { textHead } from '../events/text.ts';
import { rowsOf } from '../timeline/rows.ts';
import { oneLine, ROLE_LABELS, type TimelineRow } from '../timeline/timelineRow.ts';
import type { Consultation, EpisodeRecord, Item, Turn } from './record.ts';
import { sayCallsIn } from './turnSentence.ts';

export const WalkthroughStep = z.strictObject({
  actor: z.enum(['agent', 'environment', 'model', 'human', 'scripted', 'verifier', 'system']),
  /** Who it is in words: an actor is never told by its hue alone. */
  who: z.string().min(1),
  text: z.string().min(1),
  /** What came of a call, or what the verifier says of the whole. */
  outcome: z.enum(['ok', 'error', 'complete', 'incomplete', 'none']),
  /** The turn of the episode it is; steps around the turns have none. */
  turn: z.number().int().optional(),
});
export type WalkthroughStep = z.infer<typeof WalkthroughStep>;

const TASK_MAX = 1000;

/** The agent's task, as the reset told it. */
export function taskLine({ reset }: EpisodeRecord): string {
  const task = reset?.task ?? null;
  return task === null ? 'The task is not recorded.' : oneLine(textHead(task), TASK_MAX);
}

/** The steps in the order of the timeline. */
export const walkthroughOf = (record: EpisodeRecord): WalkthroughStep[] =>
  rowsOf(record).flatMap((row) => (isTold(row, record) ? [stepOf(row, record)] : []));

const TOLD_ITEMS: ReadonlySet<Item['type']> = new Set([
  'phase',
  'note',
  'discarded',
  'forked',
  'went_on',
  'doubt',
  'model_failed',
  'verified',
]);

function isTold({ subject }: TimelineRow, { ended }: EpisodeRecord): boolean {
  if (subject.type === 'decision') return subject.turn.call?.decision?.type !== 'approved';
  if (subject.type !== 'item') return subject.type !== 'label';
  const { item } = subject;
  if (item.type === 'connection') return item.state === 'failed';
  return item.type === 'ended' ? ended?.outcome !== 'done' : TOLD_ITEMS.has(item.type);
}

function stepOf(row: TimelineRow, record: EpisodeRecord): WalkthroughStep {
  const { role, name, detail, isDetailCode, subject } = row;
  const words = detail === '' || isDetailCode ? name : `${name}: ${detail}`;
  const step = { actor: role, who: ROLE_LABELS[role], text: words, outcome: 'none' as const };
  switch (subject.type) {
    case 'turn':
      return { ...step, ...cameOf(words, row), turn: subject.turn.turn };
    case 'decision':
      return { ...step, text: `${words}${madeInstead(subject.turn, record)}` };
    case 'consultation':
      return { ...step, text: `${words}${seenText(subject.consultation)}` };
    case 'item':
      return { ...step, outcome: subject.item.type === 'verified' ? verdictOf(record) : toneOf(row) };
    default:
      return step;
  }
}

const toneOf = ({ outcome }: TimelineRow): 'error' | 'none' => (outcome?.tone === 'error' ? 'error' : 'none');

function verdictOf({ verified }: EpisodeRecord): WalkthroughStep['outcome'] {
  const label = verified?.reward_type ?? null;
  return label === null ? 'none' : label === 'complete' ? 'complete' : 'incomplete';
}

/** The agent's proposal and its result; what took effect in its place is said where it was decided. */
function cameOf(words: string, row: TimelineRow): Pick<WalkthroughStep, 'text' | 'outcome'> {
  const { struck, result, outcome } = row;
  if (struck !== null) return { text: `${struck} (proposed, not made)`, outcome: 'none' };
  if (result === undefined) return { text: words, outcome: toneOf(row) };
  return outcome?.tone === 'error'
    ? { text: `${words} → ${result}`, outcome: 'error' }
    : { text: words, outcome: 'ok' };
}

function madeInstead(turn: Turn, record: EpisodeRecord): string {
  const decision = turn.call?.decision ?? null;
  return decision?.type === 'edited'
    ? `; made instead: ${sayCallsIn(record, turn)(decision.toolName, decision.arguments).text}`
    : '';
}

const SEEN = {
  criteria: 'the criteria',
  reference: 'the reference answer',
  verdict: 'the verdict',
  hidden_state: 'hidden state',
} as const;

function seenText({ decision }: Consultation): string {
  if (decision?.type !== 'approved') return '';
  const { privilege } = decision;
  return privilege === 'unknown' || privilege.length === 0
    ? ''
    : ` (having seen ${privilege.map((saw) => SEEN[saw]).join(', ')})`;
}
