// The library's commands that read: search in all words, what there is to choose from, what became of drafts; and
// tags, which stand in streams of their own beside the episodes.
import type { DecisionRow, SearchHit } from '../../shared/contract/library.ts';
import type { Handlers, Inputs } from '../../shared/contract/contract.ts';
import { seatActor } from '../../shared/events/actor.ts';
import { liftStream } from '../../shared/events/library.ts';
import { Condition } from '../../shared/events/lifecycle.ts';
import type { Text } from '../../shared/events/text.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import { Failure } from '../../shared/failure.ts';
import type { DecisionPlace } from '../log/draftFates.ts';
import type { EventLog } from '../log/eventLog.ts';
import { type FoundText, type Search, type SearchIndex, snippetOf } from '../log/searchIndex.ts';

type LibraryDependencies = { log: EventLog; search: Search; searchIndex: Pick<SearchIndex, 'progress'> };
type LibraryHandlers = Pick<
  Handlers,
  | 'log.search'
  | 'log.search_progress'
  | 'library.facets'
  | 'library.names'
  | 'tags.change'
  | 'decisions.page'
  | 'lift.read'
>;

const tagStream = (episode: string): string => `tags/${episode}`;

export function libraryCommands({ log, search, searchIndex }: LibraryDependencies): LibraryHandlers {
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
    'log.search_progress': async () => searchIndex.progress(),
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
    'decisions.page': async ({ fate, offset, limit }) => {
      const counts = log.projections.draftFates.counts();
      const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
      return {
        total: fate === null ? all : counts[fate],
        counts,
        rows: log.projections.draftFates
          .page(fate, offset, limit)
          .flatMap((place) => decisionRow(log, place) ?? []),
      };
    },
  };
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

function decisionRow(log: EventLog, { episode, n, fate, kept }: DecisionPlace): DecisionRow | null {
  const [recorded] = log.read(episode, n - 1, 1);
  const event = recorded?.event;
  if (event?.kind !== 'advice.approved' && event?.kind !== 'advice.declined') return null;
  const row = log.projections.episode(episode);
  const asked = findConsultation(log.record(episode), event.consultation);
  const draftId = event.kind === 'advice.approved' ? event.draft : null;
  const draft: Text | null =
    (asked?.drafts.find(({ id }) => id === draftId) ?? asked?.draft ?? null)?.text ?? null;
  return {
    episode,
    consultation: event.consultation,
    n,
    at: recorded?.at ?? 0,
    seat: recorded?.actor.id ?? null,
    scenario: row?.scenario ?? null,
    task_idx: row?.task_idx ?? null,
    fate,
    kept,
    draft,
    text: event.kind === 'advice.approved' ? event.text : event.reason,
    reward_type: row?.reward_type ?? null,
  };
}
