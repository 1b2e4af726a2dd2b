// Selects one episode's rows: makes them, checks them, remembers them and passes the kept ones on.
import { hash } from 'node:crypto';
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { isLeakFree } from '../../../shared/events/actor.ts';
import { isDamagedLog } from '../../../shared/failure.ts';
import type { EndedEpisode } from '../../log/endedEpisodes.ts';
import { noteJudgement, type Identity } from './contradictions.ts';
import type { MadeRow, EpisodeInput } from './format.ts';
import { shownBody } from './evidence.ts';
import { addAll, countOne, NO_LABEL, type CollectedRows, type CollectRequest } from './collectedRows.ts';
import { jsonLine } from './lineWriter.ts';
import { taskOrigin } from './taskOrigin.ts';
import { hasSideFiles } from './output.ts';
import { createRowChecks } from './preflight/checks.ts';
import { eventMarks, type EventMarks } from './preflight/eventChecks.ts';
import { CHARS_PER_TOKEN } from './preflight/findings.ts';
import { signatureOf } from './preflight/nearTasks.ts';
import { seenRow } from './preflight/seenRow.ts';
import { rowRule, splitOf, taskIdentity } from './select.ts';
import { loadEpisode, type LoadedEpisode } from './loadEpisode.ts';

const NO_MARKS: EventMarks = { bits: 0, at: [] };

type EpisodePlace = { task: number; isValidation: boolean; episode: string };

/** Takes in one episode after the other. `identities` remembers its rows by their digest. */
export function createRowSelection(
  ask: CollectRequest,
  collected: CollectedRows,
  identities: Map<string, Identity>,
): (episode: EndedEpisode) => Promise<void> {
  const { log, format, rules, sink } = ask;
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
    sink?.episode(read);
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
      bytes: sink === null ? Buffer.byteLength(line) + 1 : sink.row(line, made, { episode, isValidation }),
    });
    return true;
  };
}

/** Whether a question is its only because nobody else played under its key: shown, and never taught. */
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
