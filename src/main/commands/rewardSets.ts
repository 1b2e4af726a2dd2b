// Sets of episodes that are scored: their facts, read from the log a slice at a time and kept, since no setting
// changes them; and the scores by the last settings, so that one side of a comparison is not made again.
import type { ScoredFrom } from '../../shared/contract/rewards.ts';
import type { EpisodeRow } from '../../shared/contract/rows.ts';
import { foldAll } from '../../shared/episode/fold.ts';
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import type { Breakdown } from '../../shared/rewards/breakdown.ts';
import type { RewardSettings } from '../../shared/rewards/settings.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { ScoredEntry } from '../reward/comparedEpisodes.ts';
import { breakdownOf, knownOf, type KnownReward } from '../reward/reward.ts';
import type { FeedSchedule } from './feeds.ts';

export type ScoreSet = {
  id: string;
  entries: ScoredEntry[];
  isRead: boolean;
  whenRead: Promise<void>;
  /** Episodes that were looked at, of how many. */
  done: number;
  total: number;
  /** Continuations of a lift among what was asked for: nobody's work, so they are scored where their run or they themselves are named. */
  continuations: number;
  /** Probes of a split among it, which look at the task and not at the agent: as with continuations. */
  probes: number;
  failure: FailureShape | null;
  isClosed: boolean;
  /** A breakdown for each entry. */
  scores(settings: RewardSettings): Promise<readonly Breakdown[]>;
};

export type ScoreSets = {
  /** Begins to read; throws `not_found` when an episode that was named is not there. */
  open(from: ScoredFrom): ScoreSet;
  /** Throws `not_found`. */
  find(id: string): ScoreSet;
  forget(id: string): void;
  close(): void;
  /** Lets other work have its turn. */
  pause(): Promise<void>;
};

type ScoreSetsDependencies = {
  log: EventLog;
  newId: () => string;
  schedule: FeedSchedule;
  clock: () => number;
};

/** Sets that are open at once; the oldest makes way. */
const SETS_MAX = 6;
const ROWS_PER_PAGE = 100;
/** So long may a slice of reading hold up everything else. */
const SCORING_SLICE_MS = 12;
const SCORES_PER_SLICE = 500;
/** Settings by which a set was scored last. */
const SCORES_MAX = 3;
/** Episodes whose facts are kept: about 1.3 kB each with eight calls, so 130 MB at most. */
const FACTS_MAX = 100_000;

/** Drops the oldest entries beyond `max`. */
function dropOldest<K>(
  kept: Map<K, unknown>,
  max: number,
  drop = (key: K): unknown => kept.delete(key),
): void {
  for (const key of [...kept.keys()].slice(0, Math.max(0, kept.size - max))) drop(key);
}

export function createScoreSets({ log, newId, schedule, clock }: ScoreSetsDependencies): ScoreSets {
  const sets = new Map<string, ScoreSet>();
  const factsOf = createFacts(log);
  const pause = (): Promise<void> =>
    new Promise((wake) => {
      schedule(0, wake);
    });
  const forget = (id: string): void => {
    const set = sets.get(id);
    if (set !== undefined) set.isClosed = true;
    sets.delete(id);
  };
  const read = async (set: ScoreSet, rows: Iterable<EpisodeRow>, from: ScoredFrom): Promise<void> => {
    try {
      await pause();
      let since = clock();
      for (const row of rows) {
        if (set.isClosed) return;
        if (leavesOut(set, row, from)) continue;
        const facts = factsOf(row);
        if (facts !== null) set.entries.push(entryOf(row, facts));
        set.done += 1;
        if (clock() - since < SCORING_SLICE_MS) continue;
        await pause();
        since = clock();
      }
    } catch (thrown) {
      set.failure = failureShape(thrown);
    }
    set.isRead = true;
  };
  return {
    open: (from) => {
      const { rows, ...counts } = 'episodes' in from ? namedRows(log, from.episodes) : foundRows(log, from);
      const set = newSet(newId(), counts, pause);
      sets.set(set.id, set);
      dropOldest(sets, SETS_MAX, forget);
      set.whenRead = read(set, rows, from);
      return set;
    },
    find: (id) => {
      const set = sets.get(id);
      if (set !== undefined) return set;
      throw new Failure('not_found', 'this set of episodes is not open any more', {
        next: 'Open it again: what was read of it is still known.',
      });
    },
    forget,
    close: () => dropOldest(sets, 0, forget),
    pause,
  };
}

function newSet(
  id: string,
  counts: Pick<ScoreSet, 'total' | 'continuations'>,
  pause: () => Promise<void>,
): ScoreSet {
  const kept = new Map<string, Promise<Breakdown[]>>();
  const entries: ScoredEntry[] = [];
  const score = async (settings: RewardSettings): Promise<Breakdown[]> => {
    const scores: Breakdown[] = [];
    for (const { known } of entries) {
      scores.push(breakdownOf(known, settings));
      if (scores.length % SCORES_PER_SLICE === 0) await pause();
    }
    return scores;
  };
  const scores: ScoreSet['scores'] = (settings) => {
    const key = JSON.stringify(settings);
    const found = kept.get(key) ?? score(settings);
    kept.delete(key);
    kept.set(key, found);
    dropOldest(kept, SCORES_MAX);
    return found;
  };
  const progress = {
    isRead: false,
    whenRead: Promise.resolve(),
    done: 0,
    probes: 0,
    ...counts,
    failure: null,
  };
  return { id, entries, ...progress, isClosed: false, scores };
}

/** Shown and counted where they, or their run, are named. */
const hidesContinuations = (from: ScoredFrom): boolean =>
  !('episodes' in from) && from.filter?.run === undefined;

type EpisodeRows = { total: number; continuations: number; rows: Iterable<EpisodeRow> };

/** Ended episodes alone: what is scored must not grow. */
function foundRows(log: EventLog, from: Extract<ScoredFrom, { query: string }>): EpisodeRows {
  const ended = { ...from, status: 'ended' as const };
  const page = (offset: number, limit: number) =>
    log.projections.episodes({ ...ended, hidesContinuations: hidesContinuations(from), offset, limit });
  function* rows() {
    const met = new Set<string>();
    for (let offset = 0; ; offset += ROWS_PER_PAGE) {
      const { rows: found } = page(offset, ROWS_PER_PAGE);
      // The list moves on while it is read: one that was met comes again.
      yield* found.filter(({ id }) => !met.has(id));
      for (const { id } of found) met.add(id);
      if (found.length < ROWS_PER_PAGE) return;
    }
  }
  const { total } = page(0, 1);
  const all = log.projections.episodes({ ...ended, offset: 0, limit: 1 }).total;
  return { total, continuations: all - total, rows: rows() };
}

function namedRows(log: EventLog, episodes: readonly string[]): EpisodeRows {
  const rows = [...new Set(episodes)].map((id) => {
    const row = log.projections.episode(id);
    if (row !== null) return row;
    throw new Failure('not_found', `there is no episode ${id}`, { next: 'Take its id from the library.' });
  });
  return { total: rows.length, continuations: 0, rows: rows.filter(({ status }) => status === 'ended') };
}

/** Takes what nobody played for its own sake out of a set, and counts it there. */
function leavesOut(set: ScoreSet, { lift_arm: arm, probe }: EpisodeRow, from: ScoredFrom): boolean {
  if ((arm === undefined && probe === undefined) || !hidesContinuations(from)) return false;
  // A continuation that is still among the rows is of a lift that was not planned in this log: it was imported.
  if (arm !== undefined) set.continuations += 1;
  else set.probes += 1;
  set.total -= 1;
  return true;
}

type EpisodeFacts = { known: KnownReward; file: string | null };

function entryOf(row: EpisodeRow, { known, file }: EpisodeFacts): ScoredEntry {
  const { id: episode, environment_key, scenario, task_idx, condition, group, run } = row;
  const imported_reward = row.source === 'import' ? row.reward : null;
  const place = { episode, environment_key, scenario, task_idx, condition, group };
  return { ...place, known, origin: { run, file, imported_reward } };
}

/** What is known of an episode; null where its texts were erased: its calls cannot be told apart any more. */
function createFacts(log: EventLog): (row: EpisodeRow) => EpisodeFacts | null {
  const kept = new Map<string, { seq: number; known: EpisodeFacts | null }>();
  return ({ id, seq }) => {
    const found = kept.get(id);
    // An ended episode has one event more when it is erased.
    if (found?.seq === seq) return found.known;
    // Not through the log's own record: that would push out what is looked at now.
    const record = foldAll(id, log.read(id));
    const file = record.imported?.source.name ?? null;
    const known = record.erased === null ? { known: knownOf(record), file } : null;
    kept.delete(id);
    kept.set(id, { seq, known });
    if (kept.size > FACTS_MAX) kept.delete(kept.keys().next().value ?? '');
    return known;
  };
}
