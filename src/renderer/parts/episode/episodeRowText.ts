// Texts of a line in the episode list. Pure.
import { listsContinuations } from '../../../shared/lift/listed.ts';
import { liftSentence } from '../../../shared/lift/liftSentence.ts';
import type { EpisodeFilter, EpisodeOrder } from '../../../shared/contract/library.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { EpisodeRow } from '../../../shared/episode/rowShapes.ts';
import type { Condition } from '../../../shared/events/lifecycle.ts';
import { outcomeOf, type TaskOutcome } from '../../../shared/taskOutcome.ts';
import { recordOutcome } from './facts.ts';
import { stateWords, type StateWords } from './stateWords.ts';
import { taskPlace, taskWords } from './taskTitle.ts';

export type EpisodeListFilter = {
  query: string;
  status: EpisodeRow['status'] | null;
  condition: Condition | null;
  filter?: EpisodeFilter | undefined;
  order?: EpisodeOrder | undefined;
};

/** The label of an environment by its key. */
export const environmentLabel = (key: string): string =>
  key.startsWith('import:') ? `imported: ${key.slice('import:'.length).replaceAll('_', ' ')}` : key;

/** True if new rows belong at the top. */
export const isNewestFirst = ({ order }: EpisodeListFilter): boolean =>
  order === undefined || (order.by === 'started_at' && !order.is_ascending);

export const ROW_CONDITION_LABELS: Readonly<Record<Condition, string>> = {
  none: 'No expert',
  model: 'Model',
  human: 'Human',
  'human+draft': 'Human + draft',
  brief: 'Brief',
  'brief+human': 'Brief + human',
};

export const SOURCE_LABELS: Readonly<Record<EpisodeRow['source'], string>> = {
  run: 'Ran here',
  tap: 'Tapped',
  ask: 'Asked only',
  import: 'Imported',
};

/** The state of the episode, in a word and a tone. */
export const rowStatus = (row: EpisodeRow): StateWords =>
  stateWords({ status: row.status, waitsFor: waitsFor(row), outcome: row.outcome });

function waitsFor({ waiting, strip, broke_off: brokeOff, is_in_doubt: isInDoubt }: EpisodeRow) {
  if (brokeOff !== undefined) return 'restart';
  if (isInDoubt === true) return 'doubt';
  // The last turn waits for a person and no question is open: its call is held.
  return waiting > 0 ? 'answer' : strip.endsWith('w') ? 'approval' : 'resume';
}

/** The outcome of its task; null while that is open, `hidden` from a seat that is not to know. */
export function rowOutcome(row: EpisodeRow): TaskOutcome | 'hidden' | null {
  const { reward_type, reward, is_covered: isCovered, status } = row;
  if (isCovered) return status === 'ended' ? 'hidden' : null;
  return status !== 'ended' && reward_type === null && reward === null
    ? null
    : outcomeOf(reward_type, reward);
}

/** The same in an expert's lists, which carry no verdicts: as the opened episode has it, else only that it ended. */
export function seatOutcome(row: EpisodeRow, opened: EpisodeRecord | null): TaskOutcome | 'hidden' | null {
  if (row.is_covered) return rowOutcome(row);
  return opened === null || opened.ended === null ? null : recordOutcome(opened);
}

/** True if a short line says the state and not the outcome: while that is open, and of what broke off without one. */
export function saysState(row: EpisodeRow, outcome = rowOutcome(row)): boolean {
  if (outcome === null || outcome === 'hidden') return outcome === null;
  // What a file tells of its reward is all there is to know of how it went.
  const isTold = row.source === 'import' && outcome.reward !== null;
  return outcome.kind === 'unknown' && row.outcome !== 'done' && !isTold;
}

/** The actor's name where no model is named. */
export const agentWord = (policy: string, source: EpisodeRow['source']): string => {
  if (policy === 'human') return 'a person';
  if (policy !== 'foreign') return policy;
  return source === 'import' ? 'agent of the file' : 'client’s agent';
};

function agentOf({ policy, model, probe, source, lift_arm: arm }: EpisodeRow): string {
  if (probe === 'no_op') return 'nobody (probe)';
  const agent = policy === 'human' ? agentWord(policy, source) : (model ?? agentWord(policy, source));
  if (arm !== undefined) return `${agent} (lift, ${arm} the advice)`;
  return probe === undefined ? agent : `${agent} (probe)`;
}

/** The lift of its advice, in points, with its interval in words; or why there is no figure. */
export function rowLift({ lift, advised = 0, lift_arm: arm, source }: EpisodeRow): {
  text: string;
  title: string;
} {
  if (lift !== undefined) {
    const { kind, estimate } = lift;
    const text = estimate === null ? '–' : kind === 'causal' ? signedPoints(estimate) : 'descriptive';
    return { text, title: liftSentence(lift) };
  }
  if (arm !== undefined) return { text: '–', title: 'A continuation: it measures another episode’s advice' };
  if (advised === 0) return { text: '–', title: 'Not measured: no advice was given' };
  return {
    text: '–',
    title:
      source === 'run'
        ? 'Not measured yet: `interject bench --from-questions ID` does it'
        : 'Not measured: only episodes that ran here can be gone on from',
  };
}

const signedPoints = (share: number): string => {
  const points = Math.round(100 * share);
  return points > 0 ? `+${String(points)}` : String(points).replace('-', '−');
};

/** The actors: always the agent, and people as often as they acted. */
export const actorsOf = (row: EpisodeRow): { agent: string; people: number } => ({
  agent: agentOf(row),
  people: row.human_acts,
});

/** The name of what was to be done: scenario and task number. */
export const taskName = (row: EpisodeRow): string => taskPlace(row, row.environment);

/** The words of what was to be done, on one line; its name where it has none. */
export const rowWords = (row: EpisodeRow): string => taskWords(row, row.environment);

/** True if a row that just came belongs to what the filter shows. */
export function matchesFilter(
  row: EpisodeRow,
  { query, status, condition, filter = {} }: EpisodeListFilter,
): boolean {
  if (status !== null && row.status !== status) return false;
  if (condition !== null && row.condition !== condition) return false;
  if (row.lift_arm !== undefined && !listsContinuations({ query, status, filter })) return false;
  if (!rowFits(row, filter)) return false;
  const haystack = [row.id, row.scenario, row.task, row.model, row.environment].join('\n').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

function rowFits(row: EpisodeRow, filter: EpisodeFilter): boolean {
  const { source, scenario, outcome, reward_type, reward_min, reward_max, tag, run, group, since, until } =
    filter;
  const isLike = <T>(asked: T | undefined, has: T | null): boolean => asked === undefined || asked === has;
  const isCounted = (asked: boolean | undefined, count: number | undefined): boolean =>
    asked === undefined || asked === (count ?? 0) > 0;
  // A row does not say who judged it nor what became of drafts; one that has just come has neither.
  if (filter.reviewer !== undefined || filter.draft !== undefined) return false;
  const reward = row.reward ?? Number.NaN;
  return (
    isLike(source, row.source) &&
    isLike(scenario, row.scenario) &&
    isLike(outcome, row.outcome) &&
    isLike(reward_type, row.reward_type) &&
    isLike(run, row.run) &&
    isLike(group, row.group) &&
    (reward_min === undefined || reward >= reward_min) &&
    (reward_max === undefined || reward <= reward_max) &&
    (tag === undefined || (row.tags ?? []).includes(tag)) &&
    (since === undefined || row.started_at >= since) &&
    (until === undefined || row.started_at < until) &&
    isCounted(filter.has_advice, row.advised) &&
    !(filter.has_advice === false && row.help_unknown === true) &&
    isCounted(filter.has_step_ins, row.human_acts) &&
    isCounted(filter.has_labels, row.labels)
  );
}
