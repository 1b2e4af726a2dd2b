// Chooses what goes into a queue: the episodes of the library that fit, one by one or two by two.
import type { Inputs } from '../../shared/contract/contract.ts';
import type { QueueFilter } from '../../shared/contract/review.ts';
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import type { ProjectRecord } from '../../shared/review/record.ts';
import type { Candidate, Subject } from '../../shared/events/annotations.ts';
import type { EventLog } from '../log/eventLog.ts';

type SubjectSource = Inputs['queue.make']['from'];

const EPISODES_PER_PAGE = 500;

export function subjectsOf(log: EventLog, from: SubjectSource, project: ProjectRecord): Subject[] {
  switch (from.type) {
    case 'episodes':
      return [...new Set(from.episodes)].map((episode) => ({ type: 'episode', episode }));
    case 'pairs':
      return from.pairs.map(({ left, right }) => ({ type: 'pair', left, right }));
    case 'corrections':
      return decisionSubjects(log, project);
    case 'filter':
      return found(log, from.filter, from.limit).map(({ id }) => ({ type: 'episode', episode: id }));
    case 'same_task':
      return sameTask(found(log, from.filter, PAIRED_MAX)).slice(0, from.limit);
  }
}

/** The agent's move and the one that a reviewer called right, at the same point; on which side goes by chance. */
function decisionSubjects(log: EventLog, { items }: ProjectRecord): Subject[] {
  const given = [...items.values()].flatMap(({ corrections }) => corrections);
  return given.flatMap(({ id, target, correct, reviewer }): Subject[] => {
    if (correct.type !== 'move' || target.on === 'trajectory') return [];
    const { episode, turn } = target;
    const made = log.record(episode).turns.find((one) => one.turn === turn)?.move ?? null;
    if (made === null || turn === null) return [];
    const point = { type: 'move' as const, episode, turn };
    const agent: Candidate = { ...point, move: made, source: 'agent' };
    const right: Candidate = { ...point, move: correct.move, source: `correction by ${reviewer}` };
    return [hash(id) % 2 === 0 ? pair(agent, right) : pair(right, agent)];
  });
}

const pair = (left: Candidate, right: Candidate): Subject => ({ type: 'pair', left, right });

/** As many episodes as are looked through for pairs. */
const PAIRED_MAX = 20_000;

function found(log: EventLog, filter: QueueFilter, limit: number): EpisodeRow[] {
  const rows: EpisodeRow[] = [];
  while (rows.length < limit) {
    const want = Math.min(EPISODES_PER_PAGE, limit - rows.length);
    const page = log.projections.episodes({ ...filter, offset: rows.length, limit: want });
    rows.push(...page.rows);
    if (page.rows.length < want) break;
  }
  return rows;
}

/**
 * Episodes of one task side by side, each in one pair: where outcomes differ first, since those teach most. Which
 * stands left goes by the episode's id, so that the better one is not always on the same side.
 */
function sameTask(rows: readonly EpisodeRow[]): Subject[] {
  const tasks = Map.groupBy(rows, ({ environment, scenario, task_idx, task }) =>
    JSON.stringify([environment, scenario, task_idx, task]),
  );
  const [differing, alike]: [Subject[], Subject[]] = [[], []];
  for (const episodes of tasks.values()) {
    const sorted = episodes.toSorted((a, b) => (b.reward ?? 0) - (a.reward ?? 0) || a.id.localeCompare(b.id));
    // The best with the worst, the second with the second to last.
    for (let index = 0; index < Math.floor(sorted.length / 2); index += 1) {
      const [one, other] = [sorted[index], sorted[sorted.length - 1 - index]];
      if (one === undefined || other === undefined) continue;
      const [left, right] = hash(one.id) < hash(other.id) ? [one, other] : [other, one];
      const two = pair({ type: 'episode', episode: left.id }, { type: 'episode', episode: right.id });
      (one.reward_type === other.reward_type && one.reward === other.reward ? alike : differing).push(two);
    }
  }
  return [...differing, ...alike];
}

/** Spreads ids that begin alike; ids sort by time, and later ones may be the better trained. */
function hash(text: string): number {
  let value = 2_166_136_261;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 16_777_619);
  return value >>> 0;
}
