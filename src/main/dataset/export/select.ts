// The rules a person selects by: which episodes are read, which rows are kept, on which side of a split they go.
// Every rule has a name under which it counts what it leaves out.
import { hash } from 'node:crypto';
import type { Doubtful, ExportRules, TaskRef } from '../../../shared/contract/export.ts';
import { environmentKey } from '../../../shared/environmentKinds.ts';
import { type EpisodeRecord, taskRef } from '../../../shared/episode/record.ts';
import { isLeakFree } from '../../../shared/events/actor.ts';
import type { Text } from '../../../shared/events/text.ts';
import { createHeldOut } from '../../../shared/split.ts';
import type { IsTaskTwin } from './taskTwins.ts';
import { normalizeScenario } from '../../../shared/wire.ts';
import type { EndedEpisode } from '../../log/endedEpisodes.ts';
import type { Format, RowFacts } from './format.ts';
import { contrary } from './pairSides.ts';

/** What a verifier says when it has judged; it has not where it failed or there was none. */
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
 * Whether the environment's own reward stands for the verdict it has no verifier for: the episode came to its end and the
 * sum is above 0, or at least what the rules ask for. A file of another tool does not tell who gave its reward.
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

/** Decides about rows; null keeps one. */
export function rowRule(facts: RowFacts, rules: ExportRules): string | null {
  const isOut = (doubtful: Doubtful): boolean => !rules.include.includes(doubtful);
  if (facts.hasTimeout && isOut('timeouts')) return 'timeout';
  if (facts.isLate && isOut('late')) return 'late';
  if (facts.hasFabricated && isOut('fabricated')) return 'fabricated';
  if (rules.privilege === 'strip') {
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
 * What makes two episodes the same task: environment, scenario and index, else the words of the task, which is all that a file of
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
