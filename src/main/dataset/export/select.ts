// The rules a person selects by: which episodes are read, which rows are kept, on which side of a split they go.
// Every rule has a name under which it counts what it leaves out.
import { hash } from 'node:crypto';
import type { Doubtful, ExportRules, TaskRef } from '../../../shared/contract/export.ts';
import { environmentKey, BUILT_IN_NAME } from '../../../shared/environmentKinds.ts';
import { taskRef } from '../../../shared/episode/record.ts';
import { isLeakFree } from '../../../shared/events/actor.ts';
import type { Text } from '../../../shared/events/text.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { createHeldOut, heldOutTasks, joinHeldOut, type SplitManifest } from '../../../shared/split.ts';
import { normalizeScenario } from '../../../shared/wire.ts';
import type { EndedEpisode, EndedQuery } from '../../log/endedEpisodes.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { Format, RowFacts, Sides } from './format.ts';
import { addAll, countOne } from './collectedRows.ts';
import { splitsIn } from '../../log/pinnedSplits.ts';

const EPISODES_PER_READ = 500;

export const endedQuery = (rules: ExportRules, untilSeq: number): EndedQuery => ({
  filter: rules.filter,
  episodes: rules.episodes,
  afterSeq: rules.after_seq ?? 0,
  untilSeq,
});

/** A page at a time, in the order they started. */
export function* endedEpisodes(log: EventLog, query: EndedQuery): Generator<EndedEpisode> {
  for (let after: EndedEpisode | null = null; ;) {
    const page: EndedEpisode[] = log.projections.endedEpisodes.page(query, after, EPISODES_PER_READ);
    yield* page;
    if (page.length < EPISODES_PER_READ) return;
    after = page.at(-1) ?? null;
  }
}

/** Outcomes of a verifier that has judged; it has not where it failed or there was none. */
export const JUDGED: ReadonlySet<string> = new Set(['complete', 'incomplete', 'others']);
/** Outcomes of an agent that was not cut short. */
const FINISHED_OUTCOMES: ReadonlySet<string> = new Set(['done', 'limit']);

export const isCompleted = (outcome: string | null, reward_type: string | null): boolean =>
  outcome === 'done' && reward_type === 'complete';

/** A task as a pinned split names it: without its environment. */
const refKey = ([scenario, idx]: TaskRef): string => `${normalizeScenario(scenario)}\n${String(idx)}`;

/** A task of an environment; two environments may have scenarios of one name. */
export const taskKey = (environment: string, task: TaskRef): string => `${environment}\n${refKey(task)}`;

/**
 * True if the environment's own reward stands for the verdict it has no verifier for: the episode came to its end and
 * the sum is above 0, or at least what the rules ask for. A file of another tool does not tell who gave its reward.
 */
const isRewarded = ({ outcome, reward }: EndedEpisode, least: number | null): boolean =>
  outcome === 'done' && reward !== null && (least === null ? reward > 0 : reward >= least);
const lacksVerifier = ({ reward_type, reward, source, outcome }: EndedEpisode): boolean =>
  reward_type === null && reward !== null && source !== 'import' && FINISHED_OUTCOMES.has(outcome ?? '');

/** Decides about episodes by what the list knows; null keeps one, else the name of the rule that leaves it out. */
export function createEpisodeRule(
  rules: ExportRules,
  format: Pick<Format, 'verdict' | 'isVerdictFixed'> & { takesProbes?: boolean },
  isTwin?: IsTaskTwin,
): (episode: EndedEpisode) => string | null {
  const isHeldOut = createHeldOut(rules.held_out, (scenario, index) => refKey([scenario, index]), isTwin);
  const conditions = rules.conditions === null ? null : new Set<string | null>(rules.conditions);
  const verdict = rules.verdict ?? format.verdict;
  const takesRewarded = verdict === 'completed' && rules.verdict === null && format.isVerdictFixed !== true;
  return (episode) => {
    const { condition, outcome, reward_type, isErased } = episode;
    if (isErased === 1) return 'erased';
    if (isHeldOut(episode)) return 'held_out';
    if (format.takesProbes !== true) {
      if (episode.isSuperseded === 1) return 'superseded';
      if (episode.isProbe === 1) return 'probe';
      if (episode.isContinuation === 1) return 'continuation';
    }
    if (conditions !== null && !conditions.has(condition)) return 'condition';
    if (takesRewarded && lacksVerifier(episode))
      return isRewarded(episode, rules.filter.reward_min ?? null) ? null : 'not_rewarded';
    if (verdict === 'completed' && !isCompleted(outcome, reward_type))
      return FINISHED_OUTCOMES.has(outcome ?? '') ? 'not_completed' : (outcome ?? 'not_completed');
    if (verdict === 'verified' && !JUDGED.has(reward_type ?? '')) return 'not_verified';
    return null;
  };
}

/** The rule that leaves a pair out, or null. */
function contrary({ chosen, rejected }: Sides): 'chosen_failed' | 'rejected_completed' | null {
  if (chosen.outcome !== '' && chosen.outcome !== 'complete') return 'chosen_failed';
  return rejected.outcome === 'complete' ? 'rejected_completed' : null;
}

/** Decides about rows; null keeps one. */
export function rowRule(facts: RowFacts, rules: ExportRules): string | null {
  const isOut = (doubtful: Doubtful): boolean => !rules.include.includes(doubtful);
  if (facts.hasTimeout && isOut('timeouts')) return 'timeout';
  if (facts.isLate && isOut('late')) return 'late';
  if (facts.hasFabricated && isOut('fabricated')) return 'fabricated';
  if (rules.privilege === 'strip') {
    if (facts.hasExpertWords === true) return 'expert_words';
    if (facts.hasTrace === true) return 'expert_trace';
    if ((facts.unknowable ?? []).length > 0) return 'unknowable';
  }
  const against = facts.sides === undefined || !isOut('contrary') ? null : contrary(facts.sides);
  if (against !== null) return against;
  if (rules.privilege !== 'flag' && !isLeakFree(facts.privilege))
    return facts.privilege === 'unknown' ? 'privilege_unknown' : 'privileged';
  if (rules.actors !== null && !rules.actors.some((actor) => actor === facts.actor)) return 'actor';
  return null;
}

/**
 * The identity of a task: environment, scenario and index, else the words of the task, which is all that a file of
 * another tool tells. A split never cuts through one.
 */
export function taskIdentity(record: EpisodeRecord, loadText: (text: Text) => string): string {
  const { scenario, task_idx: idx } = taskRef(record);
  const environment = environmentOf(record);
  if (scenario !== null && idx !== null) return taskKey(environment, [scenario, idx]);
  const task = record.reset?.task ?? null;
  const words = task === null ? record.id : hash('sha256', loadText(task), 'hex');
  return scenario === null ? `\n\n${words}` : `${environment}\n${normalizeScenario(scenario)}\n\n${words}`;
}

/** The key of the environment an episode played in. */
export const environmentOf = ({ started }: EpisodeRecord): string =>
  started === null ? '' : environmentKey(started.environment);

const SHARE_BITS = 48;

/** The side of a task, by its hash and the seed alone: another task that is added never moves it. */
export function splitOf(task: string, validation: ExportRules['validation']): 'train' | 'validation' {
  if (validation === null) return 'train';
  const digest = hash('sha256', `${String(validation.seed)}\n${task}`, 'hex');
  const place = Number.parseInt(digest.slice(0, SHARE_BITS / 4), 16) / 2 ** SHARE_BITS;
  return place < validation.share ? 'validation' : 'train';
}

/** Rules that choose among rows; where there are none they mean nothing. */
export const ROW_RULES = [
  'actors',
  'privilege',
  'include',
  'cap_per_task',
  'validation',
  'preset',
  'arguments',
  'reasoning',
  'failed_calls',
  'words',
] as const satisfies readonly (keyof ExportRules)[];

/** Their ids in the order they started; what is left out is counted by rule in `dropped` as it is met. */
export function* chosenEpisodes(
  log: EventLog,
  rules: ExportRules,
  dropped: Record<string, number>,
): Generator<string> {
  const decide = createEpisodeRule(rules, { verdict: 'any', takesProbes: true }, createTaskTwins(log));
  const query = endedQuery(rules, log.lastSeq());
  const unknown = log.projections.endedEpisodes.countHelpUnknown(query);
  if (unknown > 0) addAll(dropped, { help_unknown: unknown });
  for (const episode of endedEpisodes(log, query)) {
    const rule = decide(episode);
    if (rule === null) yield episode.id;
    else countOne(dropped, rule);
  }
}

const PAGE = 200;

/** True if an episode of another environment, with this scenario and number, is of the task that one holds out. */
type IsTaskTwin = (
  episode: Pick<EndedEpisode, 'id' | 'scenario' | 'task_idx'>,
  environment: string,
) => boolean;

/**
 * Two servers may each have a scenario of one name, so their words decide. A built-in world’s name is ours alone: where
 * nobody played the held-out task yet, one of that name is rather held out for nothing than trained on.
 */
export function createTaskTwins({ projections }: Pick<EventLog, 'projections'>): IsTaskTwin {
  const words = new Map<string, string | null>();
  const wordsIn = (environment: string, scenario: string, task_idx: number): string | null => {
    const key = JSON.stringify([environment, scenario, task_idx]);
    const known = words.get(key);
    if (known !== undefined) return known;
    const found = findWords(projections, { environment, scenario }, task_idx);
    words.set(key, found);
    return found;
  };
  return ({ id, scenario, task_idx }, environment) => {
    if (scenario === null || task_idx === null) return false;
    const theirs = wordsIn(environment, scenario, task_idx);
    const own = steady(projections.episode(id)?.task ?? null);
    if (theirs === null || own === null) return environment === BUILT_IN_NAME;
    return theirs === own;
  };
}

/** Of the newest episode of the task that was told its words. */
function findWords(
  projections: EventLog['projections'],
  filter: { environment: string; scenario: string },
  task_idx: number,
): string | null {
  for (let offset = 0; ; offset += PAGE) {
    const { rows } = projections.episodes({
      query: '',
      status: null,
      condition: null,
      filter,
      offset,
      limit: PAGE,
    });
    const found = rows.find((row) => row.task_idx === task_idx && row.task !== null);
    if (found !== undefined) return steady(found.task);
    if (rows.length < PAGE) return null;
  }
}

const steady = (task: string | null): string | null => task?.replaceAll(/\s+/g, ' ').trim() ?? null;

/** `given`: the manifest that was named for this run of the product. */
export function holdOut(
  log: Pick<EventLog, 'read'>,
  rules: ExportRules,
  given: SplitManifest | null = null,
): ExportRules {
  const tasks = splitsIn(log, given).flatMap(heldOutTasks);
  return tasks.length === 0 ? rules : { ...rules, held_out: joinHeldOut(rules.held_out, tasks) };
}
