// The library's commands that read: search in all words, what there is to choose from, what became of drafts; and
// tags, which stand in streams of their own beside the episodes.
import type { SearchHit, experts, EraseResult } from '../../shared/contract/library.ts';
import type { Handlers, Inputs } from '../../shared/contract/contract.ts';
import { type Actor, seatActor } from '../../shared/events/actor.ts';
import { liftStream, PROFILE_STREAM } from '../../shared/events/library.ts';
import { Condition } from '../../shared/events/lifecycle.ts';
import { Failure, isDamagedLog } from '../../shared/failure.ts';
import type { EventLog } from '../log/eventLog.ts';
import { type FoundText, type Search, type SearchIndex, snippetOf } from '../log/searchIndex.ts';
import { createExpertFigures, type ExpertFigures } from '../../shared/experts/figures.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { foldAll } from '../../shared/episode/fold.ts';
import type { Breakdown } from '../../shared/rewards/breakdown.ts';
import type { RewardSettings } from '../../shared/rewards/settings.ts';
import { profileNamed } from '../reward/profiles.ts';
import { breakdownOf, knownOf } from '../reward/reward.ts';
import type { SourceStore } from '../dataset/import/sourceStore.ts';
import { originsOf } from '../dataset/origins.ts';
import { actorOf } from './commandLines.ts';

type LibraryDependencies = { log: EventLog; search: Search; searchIndex: Pick<SearchIndex, 'progress'> };

const tagStream = (episode: string): string => `tags/${episode}`;

export function libraryCommands({ log, search, searchIndex }: LibraryDependencies) {
  return {
    'log.search': async (query) => {
      const { found, hasMore, isPrefix } = search.find(query);
      return {
        hits: found.map((one) => hitOf(log, one, query.query)),
        has_more: hasMore,
        is_prefix: isPrefix,
        progress: searchIndex.progress(),
      };
    },
    'library.facets': async () => ({ ...log.projections.facets(), conditions: Condition.options }),
    'library.names': async ({ episodes, tasks }) => ({
      episodes: episodes.map((id) => log.projections.episode(id)?.task ?? null),
      tasks: tasks.map((task) => log.projections.taskWords(task)),
    }),
    'tags.change': async (input, { seat }) => ({ changed: changeTags(log, input, seat) }),
    'lift.read': async ({ episode }) => ({
      lifts: log
        .read(liftStream(episode))
        .flatMap(({ at, event }) => {
          if (event.kind !== 'lift.measured') return [];
          const { kind: _kind, ...measured } = event;
          return [{ ...measured, at }];
        })
        .toReversed(),
    }),
  } satisfies Partial<Handlers>;
}

/** The episode an event is in, or is about. */
function hitPlace({ recorded }: FoundText): { episode: string | null; n: number | null } {
  const { stream, n, event } = recorded;
  if (!stream.includes('/')) return { episode: stream, n };
  const about = 'episode' in event && typeof event.episode === 'string' ? event.episode : null;
  return { episode: about, n: null };
}

function hitOf(log: EventLog, found: FoundText, query: string): SearchHit {
  const { place, seq, kind, recorded, text } = found;
  const where = hitPlace(found);
  const row = where.episode === null ? null : log.projections.episode(where.episode);
  return {
    place,
    seq,
    at: recorded.at,
    kind,
    event: recorded.event.kind,
    ...where,
    scenario: row?.scenario ?? null,
    environment: row?.environment ?? null,
    task_idx: row?.task_idx ?? null,
    ...snippetOf(text, query),
  };
}

/** One event for each episode whose tags become others; the rest is left alone. */
function changeTags(log: EventLog, { episodes, add, remove }: Inputs['tags.change'], seat: string): number {
  const rows = episodes.map((id) => {
    const row = log.projections.episode(id);
    if (row === null) throw new Failure('not_found', `there is no episode ${id}`);
    return { id, tags: new Set(row.tags) };
  });
  let changed = 0;
  for (const { id, tags } of rows) {
    const added = [...new Set(add)].filter((tag) => !tags.has(tag));
    const removed = [...new Set(remove)].filter((tag) => tags.has(tag) && !add.includes(tag));
    if (added.length + removed.length === 0) continue;
    log.append(tagStream(id), seatActor(seat), { kind: 'tags.changed', episode: id, added, removed });
    changed += 1;
  }
  return changed;
}

type ExpertsDependencies = {
  log: EventLog;
  settings: SettingsStore;
  /** Episodes in which a question was routed. */
  routedEpisodes: () => string[];
};

export const expertCommands = ({
  log,
  settings,
  routedEpisodes,
}: ExpertsDependencies): Pick<Handlers, keyof typeof experts> => ({
  'experts.figures': async () => {
    const names = settings.roster().experts.map(({ name }) => name);
    return figuresOver(log, routedEpisodes(), names);
  },
});

/** Records folded before others have their turn. */
const BATCH = 20;

async function figuresOver(
  log: EventLog,
  episodes: readonly string[],
  roster: readonly string[],
): Promise<{ episodes: number; figures: ExpertFigures[] }> {
  const figures = createExpertFigures();
  for (const [at, id] of episodes.entries()) {
    figures.add(log.record(id));
    if (at % BATCH === BATCH - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  return { episodes: episodes.length, figures: figures.all(roster) };
}

type RewardCommands = Pick<Handlers, Extract<keyof Handlers, `rewards.${string}`>>;

/** Folding a record holds the loop: others get their turn after so many. */
const RECORDS_AT_ONCE = 8;

export function rewardCommands({ log }: { log: EventLog }): RewardCommands {
  return {
    'rewards.scores': async ({ profile, episodes }) => {
      const { settings } = profileNamed(log.read(PROFILE_STREAM), profile);
      const scores: (Breakdown | null)[] = [];
      for (const episode of episodes) {
        scores.push(scoreOf(log, episode, settings));
        if (scores.length % RECORDS_AT_ONCE === 0) await new Promise<void>((go) => setImmediate(go));
      }
      return { scores };
    },
  };
}

/** Null where nothing can be said: it goes on, it cannot be read, or its texts were erased, which tell calls apart. */
function scoreOf(log: EventLog, episode: string, settings: RewardSettings): Breakdown | null {
  if (log.projections.episode(episode)?.status !== 'ended') return null;
  try {
    // Not through the log's own record: that would push out what is looked at now.
    const record = foldAll(episode, log.read(episode));
    return record.erased === null ? breakdownOf(knownOf(record), settings) : null;
  } catch (thrown) {
    if (!isDamagedLog(thrown)) throw thrown;
    return null;
  }
}

type EraseDependencies = { log: EventLog; sources: SourceStore };
type EraseRequest = { episode: string; text: string | null; reason: string | null };

/** Throws `not_found`, and `bad_input` for an episode that still runs. */
export function eraseEpisode(
  { log, sources }: EraseDependencies,
  { episode, text, reason }: EraseRequest,
  actor: Actor,
): EraseResult {
  const origins = originsOf(log, episode);
  const erased = log.erase(episode, text, actor, reason);
  // The files hold what was erased: they go too, for every episode that came from them.
  const others = new Set(
    origins.flatMap(({ source }) => [...log.projections.importedFrom(source.sha256).values()]),
  );
  others.delete(episode);
  const files: string[] = [];
  for (const { source, companions } of origins)
    for (const { sha256, name } of [source, ...companions]) {
      if (sources.find(sha256) === null) continue;
      sources.remove(sha256);
      files.push(name);
    }
  return { ...erased, files, shared: files.length === 0 ? 0 : others.size };
}

export const eraseCommands = (parts: EraseDependencies): Pick<Handlers, 'episode.erase'> => ({
  'episode.erase': async (asked, caller) => eraseEpisode(parts, asked, actorOf(caller)),
});
