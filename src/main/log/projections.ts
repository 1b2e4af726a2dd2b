// The small tables a console reads (episode list, desk, what a seat has seen). Written in the event's own
// transaction, and rebuildable from the log alone.
import type { z } from 'zod';
import { DeskItem, HoldItem, Status, type EpisodeRow } from '../../shared/episode/rowShapes.ts';
import type { Saw } from '../../shared/events/actor.ts';
import type { Text } from '../../shared/events/text.ts';
import type { EventOf, Recorded } from '../../shared/events/vocabulary.ts';
import { emptyRecord, type EpisodeRecord } from '../../shared/episode/record.ts';
import { IN_PLACE } from '../../shared/episode/change.ts';
import { fold } from '../../shared/episode/fold.ts';
import { parseJson } from '../../shared/json.ts';
import type { Database } from './database.ts';
import { createCovered, type BlindReviews } from './blindReviews.ts';
import { createImported, type ImportedFiles } from './importedFiles.ts';
import { createEndedEpisodes, type EndedEpisodes } from './endedEpisodes.ts';
import { createDraftFates, type DraftFates } from './draftFates.ts';
import { createJudged, type JudgementCounts } from './judgementCounts.ts';
import { createEpisodeLines, type EpisodeLines } from './episodeLines.ts';
import { createEpisodeList, type EpisodeList } from './episodeList.ts';
import { createOwnAnswers, type OwnAnswers } from './ownAnswers.ts';
import { actsWhere, NOT_COPIED } from './humanWork.ts';
import { createPastAdvice, type PastAdviceIndex } from './pastAdvice.ts';
import { createSeenTasks, type SeenTask } from './seenTasks.ts';
import { createTaskWords, type TaskWords } from './taskWords.ts';

export type FoldedEvent = { recorded: Recorded; record: EpisodeRecord };

export type Projections = {
  /**
   * Brings the tables up to date with one event. Call inside the event's transaction. `before`: the record that was
   * committed last, if that is known; less is written then.
   */
  write(record: EpisodeRecord, recorded: Recorded, before?: EpisodeRecord): void;
  /** The same for several events of a stream at once, given its last record. */
  writeStream(record: EpisodeRecord, events: readonly Recorded[], before?: EpisodeRecord): void;
  /** The same for several events of which each was given its own record. */
  writeEach(events: readonly FoldedEvent[], before: EpisodeRecord): void;
  /** The same for a whole stream of which nothing is projected but its row and where it came from. */
  writeImported(row: EpisodeRow, event: EventOf<'episode.imported'> | null): void;
  /** Writes again what holds words of an episode, from its events as they are now. Call inside a transaction. */
  rewrite(events: readonly Recorded[]): void;
  episodes: EpisodeList['page'];
  facets: EpisodeList['facets'];
  /** `record`: as it was committed last, if that is known; less is read then. */
  episode(id: string, record?: EpisodeRecord): EpisodeRow | null;
  /** How a task begins, by its address; null where it was not played, or where its environments disagree. */
  taskWords: TaskWords;
  /** Clients' episodes of a name of their own, whoever's key they came with; the newest first. */
  toldAs(name: string): string[];
  /** Clients' episodes that a key began: at most so many. */
  tappedBy(key: string, limit: number): string[];
  open(): string[];
  /** Ids of the episodes that have ended, oldest first. */
  ended(): string[];
  /** The same narrowed, with what the list knows of each. */
  endedEpisodes: EndedEpisodes;
  desk(limit: number): { total: number; items: DeskItem[] };
  /** Held calls and stopped episodes, oldest first. */
  holds(limit: number): HoldItem[];
  /** People's active minutes in decisions since a time (UTC ms); one act on several asks counts once. */
  activeMinutes(since: number): number;
  seen(seat: string, task: SeenTask): Saw[];
  /** Asks that expired since a time (UTC ms), newest first. */
  expired(since: number, limit: number): { episode: string; consultation: string }[];
  /** Advice people gave before, found by its words. */
  similar: PastAdviceIndex['find'];
  /** What a seat decided about questions, newest first. */
  ownAnswers: OwnAnswers;
  /** What people made of drafts, newest first. */
  /** The episodes a file gave, by its hash and their place in it. */
  importedFrom: ImportedFiles['from'];
  newestImports: ImportedFiles['newest'];
  /** Whether a seat has a review of the episode to make that its outcome would colour. */
  isOutcomeCovered: BlindReviews['isCovered'];
};

/** A client that uses one name over and over is told apart by its newest episodes. */
const NAMESAKES_MAX = 100;

export function createProjections(db: Database, loadText: (text: Text) => string): Projections {
  const past = createPastAdvice(db, loadText);
  const imported = createImported(db);
  const covered = createCovered(db);
  const judged = createJudged(db);
  const list = createEpisodeList(db, (episode) => judged.count(episode));
  const lines = createEpisodeLines(db, list);
  const fates = createDraftFates(db, loadText);
  const toldAs = db.prepare<[string, number], { stream: string }>(
    `SELECT stream FROM events WHERE kind = 'episode.started' AND json_extract(body, '$.trainer.episode') = ?
     AND json_extract(body, '$.source') = 'tap' ORDER BY seq DESC LIMIT ?`,
  );
  const tappedBy = db.prepare<[string, number], { stream: string }>(
    `SELECT stream FROM events WHERE kind = 'tap.opened' AND json_extract(body, '$.key_id') = ? LIMIT ?`,
  );
  return {
    ...createWriter(db, { past, imported, covered, judged, list, lines, fates }),
    episodes: list.page,
    episode: (id, record) => list.one(id, lines.of(record)),
    taskWords: createTaskWords(db),
    toldAs: (name) => toldAs.all(name, NAMESAKES_MAX).map(({ stream }) => stream),
    tappedBy: (key, limit) => tappedBy.all(key, limit).map(({ stream }) => stream),
    facets: list.facets,
    endedEpisodes: createEndedEpisodes(db),
    ...episodeReader(db),
    ...deskReader(db),
    similar: (words, limit) => past.find(words, limit),
    ownAnswers: createOwnAnswers(db),
    importedFrom: (key) => imported.from(key),
    newestImports: (key) => imported.newest(key),
    isOutcomeCovered: (...asked) => covered.isCovered(...asked),
  };
}

type Tables = {
  past: PastAdviceIndex;
  imported: ImportedFiles;
  covered: BlindReviews;
  judged: JudgementCounts;
  list: EpisodeList;
  lines: EpisodeLines;
  fates: DraftFates;
};

function createWriter(
  db: Database,
  { past, imported, covered, judged, list, lines, fates }: Tables,
): Pick<Projections, 'write' | 'writeStream' | 'writeEach' | 'writeImported' | 'rewrite'> {
  const seen = createSeenTasks(db);

  const writeEvent = (record: EpisodeRecord, recorded: Recorded): void => {
    const { event } = recorded;
    past.write(record, recorded);
    covered.write(recorded);
    judged.write(recorded);
    fates.write(record, recorded);
    if (event.kind === 'tags.changed') list.writeTags(event);
    if (event.kind === 'episode.imported') imported.write(event);
    if (event.kind === 'episode.erased') imported.erase(recorded.stream);
    if (event.kind === 'answer.seen') seen.write(event);
  };
  const writeStream: Projections['writeStream'] = (record, events, before) => {
    for (const recorded of events) writeEvent(record, recorded);
    lines.write(record, before ?? null);
  };
  return {
    write: (record, recorded, before) => writeStream(record, [recorded], before),
    writeStream,
    writeEach: (events, before) => {
      for (const { record, recorded } of events) writeEvent(record, recorded);
      const last = events.at(-1);
      if (last !== undefined) lines.write(last.record, before);
    },
    rewrite: (events) => lines.write(rewordedBy(events, [past, fates]), null),
    writeImported: (row, event) => {
      lines.put(row, event?.source.index ?? 0);
      if (event !== null) imported.write(event);
    },
  };
}

/** Both tables that hold words, or what was counted of them, written again; the record that the events fold to. */
function rewordedBy(
  events: readonly Recorded[],
  [past, fates]: [past: PastAdviceIndex, fates: DraftFates],
): EpisodeRecord {
  let record = emptyRecord(events[0]?.stream ?? '');
  past.forget(record.id);
  for (const recorded of events) {
    record = fold(record, recorded, IN_PLACE);
    past.write(record, recorded);
    fates.write(record, recorded);
  }
  return record;
}

/** Named one by one: an index finds them, where it would not find all that are not ended. */
const UNENDED = Status.exclude(['ended'])
  .options.map((status) => `'${status}'`)
  .join(', ');

function episodeReader(db: Database): Pick<Projections, 'open' | 'ended'> {
  const unended = db.prepare<[], { id: string }>(
    `SELECT id FROM episodes WHERE status IN (${UNENDED}) ORDER BY started_at, id`,
  );
  const ended = db.prepare<[], { id: string }>(
    `SELECT id FROM episodes WHERE status = 'ended' ORDER BY started_at, id`,
  );
  return {
    ended: () => ended.all().map(({ id }) => id),
    open: () => unended.all().map(({ id }) => id),
  };
}

function deskReader(
  db: Database,
): Pick<Projections, 'desk' | 'holds' | 'activeMinutes' | 'seen' | 'expired'> {
  const deskCount = db.prepare<[], { total: number }>('SELECT count(*) AS total FROM waiting');
  const deskPage = db.prepare<[number], { item: string }>(
    'SELECT item FROM waiting ORDER BY asked_at, consultation LIMIT ?',
  );
  const holdPage = db.prepare<[number], { item: string }>(
    'SELECT item FROM holds ORDER BY since, key LIMIT ?',
  );
  const active = db.prepare<[{ since: number }], { ms: number | null }>(
    `SELECT sum(ms) AS ms FROM (${actsWhere('at >= @since')})`,
  );
  const itemsOf = createLineParser(DeskItem);
  const holdsOf = createLineParser(HoldItem);
  const seen = createSeenTasks(db);
  const expired = db.prepare<[number, number], { episode: string; consultation: string }>(
    `SELECT stream AS episode, json_extract(body, '$.consultation') AS consultation FROM events
     WHERE at >= ? AND kind = 'consultation.expired' AND ${NOT_COPIED} ORDER BY at DESC, seq DESC LIMIT ?`,
  );
  return {
    expired: (since, limit) => expired.all(since, limit),
    desk: (limit) => ({
      total: deskCount.get()?.total ?? 0,
      items: itemsOf(deskPage.all(limit).map(({ item }) => item)),
    }),
    holds: (limit) => holdsOf(holdPage.all(limit).map(({ item }) => item)),
    activeMinutes: (since) => (active.get({ since })?.ms ?? 0) / 60_000,
    seen: (seat, task) => seen.read(seat, task),
  };
}

/** Lines that read as they did before are the same objects: of a crowd's desk few change between two readings. */
function createLineParser<T>(schema: z.ZodType<T>): (texts: readonly string[]) => T[] {
  let known = new Map<string, T>();
  return (texts) => {
    const lines = texts.map((text) => known.get(text) ?? schema.parse(parseJson(text)));
    // Who only counts reads one.
    if (texts.length > 1) known = new Map(texts.map((text, at) => [text, lines[at] as T]));
    return lines;
  };
}
