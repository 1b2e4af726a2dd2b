// Reads one ended episode, and what stands beside it, as the formats get it.
import { foldProject } from '../../../shared/review/fold.ts';
import type { ItemRecord, ProjectRecord } from '../../../shared/review/record.ts';
import { episodesOf } from '../../../shared/review/target.ts';
import { ANNOTATE_PREFIX, type Dimension } from '../../../shared/events/annotations.ts';
import { liftStream, PROFILE_STREAM } from '../../../shared/events/library.ts';
import { foldAll } from '../../../shared/episode/fold.ts';
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { recordedOf, type StoredRow } from '../../log/eventReader.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { profilesIn } from '../../reward/profiles.ts';
import type { Format, EpisodeInput } from './format.ts';
import type { Completions } from './outcomes.ts';

export type Reviews = {
  items: (episode: string) => readonly ItemRecord[];
  /** The question a value of an item answers, as its project asked it then. */
  dimension: (item: ItemRecord, id: string, schemaVersion: number) => Dimension | null;
};

/** Reviews by episode. Read once for a whole export. */
export function readReviews(log: Pick<EventLog, 'streams' | 'read'>): Reviews {
  const items = new Map<string, ItemRecord[]>();
  const schemas = new Map<ItemRecord, ProjectRecord['schemas']>();
  for (const stream of log.streams(ANNOTATE_PREFIX)) {
    const project = foldProject(stream.slice(ANNOTATE_PREFIX.length), log.read(stream));
    for (const item of project.items.values()) {
      schemas.set(item, project.schemas);
      for (const episode of new Set(episodesOf(item.subject))) {
        items.set(episode, [...(items.get(episode) ?? []), item]);
      }
    }
  }
  return {
    items: (episode) => items.get(episode) ?? [],
    dimension: (item, id, version) =>
      schemas
        .get(item)
        ?.get(version)
        ?.find((dimension) => dimension.id === id) ?? null,
  };
}

/** Two files of one name may have pairs of one group: so many episodes are looked at. */
const SIDES_MAX = 20;

/** A format's input, and the rows of the log it was read from. */
export type LoadedEpisode = EpisodeInput & { rows: readonly StoredRow[] };

export type ReadRequest = {
  log: EventLog;
  reviews: Pick<Reviews, 'items' | 'dimension'>;
  untilSeq: number;
  completions?: ((record: EpisodeRecord) => Completions) | undefined;
  rules: Pick<ExportRules, 'verdict'>;
  format: Pick<Format, 'verdict'>;
};

/** An episode as it stood at `untilSeq`; what was added later is not there. */
export function loadEpisode(ask: ReadRequest, id: string): LoadedEpisode {
  const { log, reviews, untilSeq, rules, format, completions } = ask;
  const rows = log.rows(id).filter(({ seq }) => seq <= untilSeq);
  const list = rows.map(recordedOf);
  const record = foldAll(id, list);
  const isInterruptedOut = (rules.verdict ?? format.verdict) !== 'any';
  const source = (episode: string) =>
    foldAll(
      episode,
      log.read(episode).filter(({ seq }) => seq <= untilSeq),
    );
  return {
    rows,
    record: isInterruptedOut ? withOwnPast(record, source) : record,
    loadText: (text) => log.texts.loadText(text),
    events: () => list,
    reviews: () => reviews.items(id),
    ...(completions === undefined ? {} : { completions: () => completions(record) }),
    dimension: reviews.dimension,
    rejected: () => {
      const group = record.started?.group ?? null;
      if (group === null || !record.turns.some(({ marks }) => marks?.judged === true)) return [];
      const page = {
        query: '',
        status: null,
        condition: null,
        filter: { group },
        offset: 0,
        limit: SIDES_MAX,
      };
      return log.projections.episodes(page).rows.flatMap((row) => (row.id === id ? [] : [source(row.id)]));
    },
    lifts: () =>
      log
        .read(liftStream(id))
        .flatMap(({ seq, event }) =>
          event.kind === 'lift.measured' && seq <= untilSeq ? [event.measured] : [],
        ),
    profiles: () => profilesIn(log.read(PROFILE_STREAM).filter(({ seq }) => seq <= untilSeq)),
    late: () =>
      log
        .read(`late/${id}`)
        .flatMap(({ seq, event }) => (event.kind === 'advice.late' && seq <= untilSeq ? [event] : [])),
  };
}

/** The record with the turns of the episode it resumes as its own, with the labels they were given there. */
function withOwnPast(
  record: EpisodeRecord,
  read: (episode: string) => EpisodeRecord,
  known: ReadonlySet<string> = new Set(),
): EpisodeRecord {
  const { forked, id } = record;
  // A log that was imported may name episodes that go on with each other.
  if (forked?.why !== 'resume' || known.has(forked.from)) return record;
  const source = withOwnPast(read(forked.from), read, new Set([...known, id]));
  const before = new Map(source.turns.map((turn) => [turn.turn, turn]));
  const turns = record.turns.map((turn) => {
    const there = turn.isCopied ? before.get(turn.turn) : undefined;
    return there === undefined ? turn : { ...turn, isCopied: there.isCopied, label: there.label };
  });
  // The resumed one may itself have been a branch: its first turns are still another's.
  const first = turns.find(({ isCopied }) => !isCopied);
  const copiedN = first === undefined ? record.copiedN : first.n - 1;
  return { ...record, turns, copiedN: Math.min(copiedN, record.copiedN) };
}
