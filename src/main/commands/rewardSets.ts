// Sets of episodes that are scored: their facts, read from the log a slice at a time and kept, since no setting
// changes them; and the columns of the last settings, so that one side of a comparison is not made again.
import type { ScoredFrom } from '../../shared/contract/rewards.ts';
import type { EpisodeRow } from '../../shared/contract/rows.ts';
import { foldAll } from '../../shared/episode/fold.ts';
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import type { RewardSettings } from '../../shared/rewards/settings.ts';
import type { EventLog } from '../log/eventLog.ts';
import { scoreColumns, type ScoreColumns, type ScoredEntry } from '../reward/columns.ts';
import { knownOf, type KnownReward } from '../reward/reward.ts';
import type { FeedSchedule } from './feeds.ts';

export type ScoreSet = {
  id: string;
  entries: readonly ScoredEntry[];
  /** Null while it is being read. */
  state: 'read' | null;
  done: number;
  total: number;
  failure: FailureShape | null;
  isClosed: boolean;
  columns(settings: RewardSettings): Promise<ScoreColumns>;
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

type RewardSetsDependencies = {
  log: EventLog;
  newId: () => string;
  schedule: FeedSchedule;
  clock: () => number;
};
type SetInProgress = Omit<ScoreSet, 'entries'> & { entries: ScoredEntry[] };

/** Sets that are open at once; the oldest makes way. */
const SETS_MAX = 6;
const SCORED_PER_PAGE = 100;
/** So long may a slice of reading hold up everything else. */
const SCORING_SLICE_MS = 12;
/** Episodes whose facts are kept: about 1.3 kB each with eight calls, so 130 MB at most. */
const FACTS_MAX = 100_000;
const COLUMNS_MAX = 4;

export function createScoreSets(parts: RewardSetsDependencies): ScoreSets {
  const sets = new Map<string, SetInProgress>();
  const facts = createFacts(parts.log);
  const pause = (): Promise<void> =>
    new Promise((wake) => {
      parts.schedule(0, wake);
    });
  const forget = (id: string): void => {
    const set = sets.get(id);
    if (set === undefined) return;
    set.isClosed = true;
    sets.delete(id);
  };
  return {
    open: (from) => {
      const pages = 'episodes' in from ? namedPages(parts.log, from.episodes) : foundPages(parts.log, from);
      const set = newSet(parts.newId(), pages.total, pause);
      sets.set(set.id, set);
      for (const id of [...sets.keys()].slice(0, Math.max(0, sets.size - SETS_MAX))) forget(id);
      void readInto(set, pages.pages(), { ...parts, facts, pause });
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
    close: () => {
      for (const id of sets.keys()) forget(id);
    },
    pause,
  };
}

function newSet(id: string, total: number, pause: () => Promise<void>): SetInProgress {
  const made = new Map<string, Promise<ScoreColumns>>();
  const set: SetInProgress = {
    id,
    entries: [],
    state: null,
    done: 0,
    total,
    failure: null,
    isClosed: false,
    columns: (settings) => {
      const key = JSON.stringify(settings);
      const columns = made.get(key) ?? paced(scoreColumns(set.entries, settings), pause);
      made.delete(key);
      made.set(key, columns);
      for (const old of [...made.keys()].slice(0, Math.max(0, made.size - COLUMNS_MAX))) made.delete(old);
      return columns;
    },
  };
  return set;
}

async function paced<T>(work: Generator<undefined, T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await pause();
  }
}

type EpisodePages = { total: number; pages: () => Iterable<EpisodeRow[]> };

/** Ended episodes alone: what is scored must not grow. */
function foundPages(log: EventLog, from: Extract<ScoredFrom, { query: string }>): EpisodePages {
  const page = (offset: number, limit: number) =>
    log.projections.episodes({ ...from, status: 'ended', offset, limit });
  return {
    total: page(0, 1).total,
    *pages() {
      const met = new Set<string>();
      for (let offset = 0; ; offset += SCORED_PER_PAGE) {
        const { rows } = page(offset, SCORED_PER_PAGE);
        // The list moves on while it is read: one that was met comes again.
        const fresh = rows.filter(({ id }) => !met.has(id));
        for (const { id } of fresh) met.add(id);
        yield fresh;
        if (rows.length < SCORED_PER_PAGE) return;
      }
    },
  };
}

function namedPages(log: EventLog, episodes: readonly string[]): EpisodePages {
  const ids = [...new Set(episodes)];
  const missing = ids.find((id) => log.projections.episode(id) === null);
  if (missing !== undefined)
    throw new Failure('not_found', `there is no episode ${missing}`, {
      next: 'Take its id from the library.',
    });
  return {
    total: ids.length,
    *pages() {
      for (let at = 0; at < ids.length; at += SCORED_PER_PAGE) {
        const rows = ids.slice(at, at + SCORED_PER_PAGE).flatMap((id) => log.projections.episode(id) ?? []);
        yield rows.filter(({ status }) => status === 'ended');
      }
    },
  };
}

type ReadParts = RewardSetsDependencies & { facts: FactsOfRow; pause: () => Promise<void> };

async function readInto(
  set: SetInProgress,
  pages: Iterable<EpisodeRow[]>,
  { facts, pause, clock }: ReadParts,
): Promise<void> {
  try {
    await pause();
    let since = clock();
    for (const rows of pages) {
      for (const row of rows) {
        if (set.isClosed) return;
        const known = facts(row);
        if (known !== null) set.entries.push(entryOf(row, known));
        set.done += 1;
        if (clock() - since < SCORING_SLICE_MS) continue;
        await pause();
        since = clock();
      }
    }
  } catch (thrown) {
    set.failure = failureShape(thrown);
  }
  set.state = 'read';
}

const entryOf = (row: EpisodeRow, known: KnownReward): ScoredEntry => ({
  episode: row.id,
  scenario: row.scenario,
  taskIdx: row.task_idx,
  condition: row.condition,
  group: row.group,
  known,
});

type FactsOfRow = (row: EpisodeRow) => KnownReward | null;

/** Null for an episode whose texts were erased: its calls cannot be told apart any more. */
function createFacts(log: EventLog): FactsOfRow {
  const kept = new Map<string, { seq: number; known: KnownReward | null }>();
  return ({ id, seq }) => {
    const found = kept.get(id);
    // An ended episode has one event more when it is erased.
    if (found?.seq === seq) return found.known;
    // Not through the log's own record: that would push out what is looked at now.
    const record = foldAll(id, log.read(id));
    const known = record.erased === null ? knownOf(record) : null;
    kept.delete(id);
    kept.set(id, { seq, known });
    if (kept.size > FACTS_MAX) kept.delete(kept.keys().next().value ?? '');
    return known;
  };
}
