// Reads the selected episodes of the log in one pass, makes their rows and checks them. Rows go to the sink; only a
// few bytes of each stay in memory.
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EndedEpisode } from '../../log/endedEpisodes.ts';
import type { EventLog } from '../../log/eventLog.ts';
import {
  addAll,
  countOne,
  type CollectedRows,
  type CollectRequest,
  NO_LABEL,
  taskOrigin,
  createRowIndex,
  type RowIndex,
  totalsOf,
} from './collectedRows.ts';
import { signatureOf } from './preflight/nearTasks.ts';
import {
  createEpisodeRule,
  endedEpisodes,
  endedQuery,
  taskKey,
  createTaskTwins,
  rowRule,
  splitOf,
  taskIdentity,
} from './select.ts';
import { hash } from 'node:crypto';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { isLeakFree } from '../../../shared/events/actor.ts';
import { isDamagedLog } from '../../../shared/failure.ts';
import type { MadeRow, EpisodeInput, RowFacts } from './format.ts';
import { shownBody, hasSideFiles } from './rowFiles.ts';
import { jsonLine } from './lineWriter.ts';
import { createRowChecks } from './preflight/checks.ts';
import { eventMarks, type EventMarks } from './preflight/privacy.ts';
import { CHARS_PER_TOKEN } from './preflight/findings.ts';
import { seenRow } from './preflight/seenRow.ts';
import { loadEpisode, type LoadedEpisode } from './loadEpisode.ts';

export async function collectRows(ask: CollectRequest): Promise<CollectedRows> {
  const { log, rules, format, untilSeq } = ask;
  const collected = emptyGathered(log, rules, untilSeq);
  const decide = createEpisodeRule(rules, format, createTaskTwins(log));
  const identities = new Map<string, Identity>();
  const take = createRowSelection(ask, collected, identities);
  const heldOutSeen = new Set<string>();
  for (const episode of endedEpisodes(log, endedQuery(rules, untilSeq))) {
    await ask.pace();
    const rule = decide(episode);
    if (rule === 'held_out') noteHeldOut(log, collected, episode, heldOutSeen);
    if (rule === null) await take(episode);
    else countOne(collected.dropped, rule);
    collected.read += 1;
    ask.onEpisode(collected.read);
  }
  collected.contradicted = contradicted(collected.index, identities.values());
  addAll(collected.dropped, leaveContradictedOut(collected.index, collected.contradicted, rules));
  addAll(collected.dropped, capTasks(collected.index, rules.cap_per_task));
  collected.totals = totalsOf(collected);
  return collected;
}

function emptyGathered(log: EventLog, rules: ExportRules, untilSeq: number): CollectedRows {
  const ended = log.projections.endedEpisodes;
  const { after_seq: after } = rules;
  const query = endedQuery(rules, untilSeq);
  const before = after === null ? 0 : ended.count({ ...query, afterSeq: 0, untilSeq: after });
  const unknown = ended.countHelpUnknown(query);
  const index = createRowIndex();
  return {
    index,
    episodes: [],
    marks: [],
    tasks: [],
    labels: [''],
    keys: [],
    dropped: {
      ...(before === 0 ? {} : { exported_before: before }),
      ...(unknown === 0 ? {} : { help_unknown: unknown }),
    },
    damaged: [],
    duplicates: 0,
    contradicted: [],
    heldOut: [],
    read: 0,
    unknown: rules.episodes?.filter((id) => log.projections.episode(id) === null) ?? [],
    range: { from: null, to: null, last: null },
    origins: { builtin: 0, awm: 0, other: 0 },
    hasPeople: false,
    totals: totalsOf({ index, labels: [], duplicates: 0 }),
  };
}

/**
 * Leaves out what a task has too many of, and says how many. A hash of the row draws them, so that the same rows are kept
 * in whatever order they came.
 */
function capTasks(index: RowIndex, cap: number | null): Record<string, number> {
  if (cap === null) return {};
  let count = 0;
  for (const rows of Map.groupBy(index.kept(), (row) => index.at(row).task).values()) {
    const drawn = rows.toSorted((a, b) => index.at(a).lot - index.at(b).lot || a - b);
    for (const row of drawn.slice(cap)) index.leaveOut(row, 'cap_per_task');
    count += Math.max(0, rows.length - cap);
  }
  return count === 0 ? {} : { cap_per_task: count };
}

/** Tasks held out are known by their words where an episode of one is there. */
function noteHeldOut(
  log: EventLog,
  collected: CollectedRows,
  episode: EndedEpisode,
  seen: Set<string>,
): void {
  const key = taskKey(episode.environment, [episode.scenario ?? '', episode.task_idx ?? -1]);
  if (seen.has(key)) return;
  seen.add(key);
  const task = log.projections.episode(episode.id)?.task ?? null;
  if (task !== null) collected.heldOut.push(signatureOf(task));
}

const NO_MARKS: EventMarks = { bits: 0, at: [] };

type EpisodePlace = { task: number; isValidation: boolean; episode: string };

/** Takes in one episode after the other. `identities` remembers its rows by their digest. */
function createRowSelection(
  ask: CollectRequest,
  collected: CollectedRows,
  identities: Map<string, Identity>,
): (episode: EndedEpisode) => Promise<void> {
  const { log, format, rules } = ask;
  const hasEvents = hasSideFiles(format, rules).events;
  const names = createNameIndex(collected, rules);
  const addRow = createAddRow(ask, collected, names.label, identities);
  return async ({ id }) => {
    const found = unlessDamaged(collected, id, () => {
      const read = loadEpisode(ask, id);
      const rule = isLinkedAlone(read.record) ? 'only_live' : read.record.erased === null ? null : 'erased';
      return { read, rule, made: rule === null ? format.rows(read, rules) : null };
    });
    if (found === null) return;
    const { read, rule, made: all } = found;
    if (all === null) return countOne(collected.dropped, rule ?? '');
    widen(collected.range, read.rows);
    const { rows, dropped } = all;
    addAll(collected.dropped, dropped);
    if (rows.length === 0) return;
    const key = taskIdentity(read.record, read.loadText);
    const isValidation = splitOf(key, rules.validation) === 'validation';
    const at: EpisodePlace = { episode: id, task: names.task(read, key), isValidation };
    let kept = 0;
    for (const [nth, made] of rows.entries()) {
      const why = rowRule(made.facts, rules);
      if (why !== null) countOne(collected.dropped, why);
      else if (await addRow(made, nth, at)) {
        kept += 1;
        collected.hasPeople ||= made.facts.actor === 'human';
      }
    }
    if (kept === 0) return;
    collected.origins[taskOrigin(read.record)] += 1;
    collected.episodes.push(id);
    collected.marks.push(
      hasEvents ? await eventMarks(read.rows, (body) => shownBody(log.texts, body), ask.pace) : NO_MARKS,
    );
    await ask.pace();
  };
}

/** One that cannot be read is left out and named; null then. */
function unlessDamaged<T>({ dropped, damaged }: CollectedRows, episode: string, read: () => T): T | null {
  try {
    return read();
  } catch (thrown) {
    if (!isDamagedLog(thrown)) throw thrown;
    countOne(dropped, 'damaged');
    damaged.push(episode);
    return null;
  }
}

/** Tasks and labels by their place in a list. */
function createNameIndex(collected: CollectedRows, rules: ExportRules) {
  const tasks = new Map<string, number>();
  const labels = new Map<string, number>();
  const isCompared = rules.validation !== null || rules.held_out.length > 0;
  return {
    task: ({ record, loadText }: EpisodeInput, key: string): number => {
      const known = tasks.get(key);
      if (known !== undefined) return known;
      const words = record.reset?.task ?? null;
      const signature = isCompared && words !== null ? signatureOf(loadText(words)) : null;
      const place = collected.tasks.push({ key, signature }) - 1;
      tasks.set(key, place);
      return place;
    },
    label: (label: string | null): number => {
      if (label === null) return NO_LABEL;
      const known = labels.get(label) ?? collected.labels.push(label) - 1;
      labels.set(label, known);
      return known;
    },
  };
}

/** Of a row's hash: enough to tell a billion apart. */
const DIGEST_CHARS = 24;
/** As many of its digits as a number holds exactly. */
const LOT_CHARS = 12;

const digestOf = (identity: string): string => hash('sha256', identity, 'hex').slice(0, DIGEST_CHARS);

/** Says whether the row is kept. */
function createAddRow(
  { format, rules, sink, pace }: CollectRequest,
  collected: CollectedRows,
  labelAt: (label: string | null) => number,
  identities: Map<string, Identity>,
): (made: MadeRow, nth: number, at: EpisodePlace) => Promise<boolean> {
  const find = createRowChecks(format, rules, pace);
  return async (made, nth, { task, isValidation, episode }) => {
    const { facts, row, more = [] } = made;
    const digest = digestOf(facts.identity);
    const isPerson = facts.actor === 'human';
    const number = collected.index.size();
    const known = identities.get(digest);
    const lot = Number.parseInt(digest.slice(0, LOT_CHARS), 16);
    const said = known ?? { row: number, isPerson, lot, isDirect: false, opposite: null };
    identities.set(digest, said);
    noteJudgement(said, facts.judged, (identity) => identities.get(digestOf(identity)));
    if (known !== undefined) {
      collected.duplicates += 1;
      if (!rules.include.includes('duplicates')) {
        countOne(collected.dropped, 'duplicate');
        // A trainer reads the same of both: what a person did is kept as what it is.
        if (known.isPerson || !isPerson) return false;
        collected.index.leaveOut(known.row, 'duplicate');
        Object.assign(known, { row: number, isPerson });
      }
    }
    const line = [row, ...more].map(jsonLine).join('\n');
    collected.index.add({
      episode: collected.episodes.length,
      task,
      label: labelAt(facts.label),
      nth,
      n: facts.n ?? -1,
      isValidation,
      isPrivileged: !isLeakFree(facts.privilege),
      tokens: Math.ceil(line.length / CHARS_PER_TOKEN),
      found: await find(seenRow(row, line, facts, more)),
      nulls: nullsOf(collected.keys, row),
      lot,
      bytes: sink === null ? Buffer.byteLength(line) + 1 : sink(line, made, episode),
    });
    return true;
  };
}

/** True if nobody else played under its question's key: shown, and never taught. */
const isLinkedAlone = ({ consultations }: EpisodeRecord): boolean =>
  consultations.some(({ link }) => link?.by === 'only_live');

function nullsOf(keys: string[], row: Record<string, unknown>): number {
  for (const key of Object.keys(row)) if (!keys.includes(key)) keys.push(key);
  let nulls = 0;
  keys.forEach((key, bit) => {
    if (bit < 32 && (row[key] ?? null) === null) nulls |= 1 << bit;
  });
  return nulls >>> 0;
}

function widen(range: CollectedRows['range'], list: LoadedEpisode['rows']): void {
  const [first, last] = [list[0], list.at(-1)];
  if (first === undefined || last === undefined) return;
  range.from = Math.min(range.from ?? first.seq, first.seq);
  if (range.to !== null && range.to >= last.seq) return;
  range.to = last.seq;
  range.last = { episode: last.stream, n: last.n };
}

/** The facts remembered of every row that differs from those before. */
type Identity = {
  /** The row that is kept of those that say the same. */
  row: number;
  isPerson: boolean;
  /** Of all rows that say the same; `lot` of the index. */
  lot: number;
  /** Whether somebody judged this very reply, in any row that says the same. */
  isDirect: boolean;
  /** The rows that judge the same reply the other way. */
  opposite: Identity | null;
};

/** Remembers what a row judges, and what was said to the contrary before. `known` finds an identity's rows. */
function noteJudgement(
  said: Identity,
  judged: RowFacts['judged'],
  known: (identity: string) => Identity | undefined,
): void {
  if (judged === undefined) return;
  said.isDirect ||= judged.isDirect;
  const opposite = known(judged.opposite);
  if (opposite === undefined) return;
  said.opposite = opposite;
  opposite.opposite = said;
}

/**
 * The rows against which a judgement of as much weight stands, in order. Somebody's word about the very reply outweighs
 * how an episode ended; between two of a kind there is no telling.
 */
function contradicted(index: RowIndex, identities: Iterable<Identity>): number[] {
  const lots = new Set<number>();
  for (const { lot, isDirect, opposite } of identities) {
    if (opposite !== null && (opposite.isDirect || !isDirect)) lots.add(lot);
  }
  return lots.size === 0 ? [] : [...index.kept()].filter((row) => lots.has(index.at(row).lot));
}

/** Leaves them out unless the rules take them. Says how many by rule. */
function leaveContradictedOut(
  index: RowIndex,
  rows: readonly number[],
  rules: Pick<ExportRules, 'include'>,
): Record<string, number> {
  if (rules.include.includes('contrary') || rows.length === 0) return {};
  for (const row of rows) index.leaveOut(row, 'contradicted');
  return { contradicted: rows.length };
}
