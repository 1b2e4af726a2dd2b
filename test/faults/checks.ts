// What the log of a broken product must hold, read with SQLite alone and compared with what outsiders were promised.
import Sqlite from 'better-sqlite3';
import { isRecord, tryJson } from '../../src/shared/json.ts';
import { checkCalls, type CallFindings } from './calls.ts';
import type { Acknowledged, TappedSteps } from './clients.ts';

export type EventRow = { seq: number; stream: string; n: number; kind: string; actor: string; body: string };

export type LogFindings = {
  integrity: string;
  events: number;
  /** Streams whose numbers do not count from 1 without gaps. */
  gaps: string[];
  /** Acknowledged answers that are not in the log, and those that are there more than once. */
  lost: Acknowledged[];
  doubled: Acknowledged[];
  /** Acknowledged answers to questions that stand in an episode of the tap. */
  insideTapped: number;
  /** Tapped steps that were answered, are not in the log, and are in no recorded gap. */
  unexplainedSteps: number;
  recordedGaps: number;
  /** Own episodes that a restart ended, and why: nobody let one be. */
  interrupted: string[];
  /** Episodes that went on as themselves after a restart: by themselves, and by a person's word. */
  wentOn: number;
  wentOnByWord: number;
  calls: CallFindings;
  /** The name that its client gave the question of an answer, as the log keeps it; null where it gave none. */
  nameOf: (consultation: string) => string | null;
};

export function checkLog(
  path: string,
  acknowledged: readonly Acknowledged[],
  tapped: TappedSteps,
  sessionsOf: ReadonlyMap<string, readonly number[]>,
): LogFindings {
  const db = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    const rows = db
      .prepare<[], EventRow>('SELECT seq, stream, n, kind, actor, body FROM events ORDER BY seq')
      .all();
    const approved = new Map<string, number>();
    for (const { stream, kind, body } of rows) {
      if (kind !== 'advice.approved') continue;
      const event: unknown = tryJson(body);
      if (!isRecord(event)) continue;
      const key = keyOf(stream, String(event['consultation']), String(event['text']));
      approved.set(key, (approved.get(key) ?? 0) + 1);
    }
    const tapStreams = new Set(rows.flatMap(({ stream, kind }) => (kind === 'tap.opened' ? [stream] : [])));
    const times = ({ episode, consultation, text }: Acknowledged): number =>
      approved.get(keyOf(episode, consultation, text)) ?? 0;
    return {
      integrity: String(db.pragma('integrity_check', { simple: true })),
      events: rows.length,
      gaps: streamGaps(rows),
      lost: acknowledged.filter((one) => times(one) === 0),
      doubled: acknowledged.filter((one) => times(one) > 1),
      insideTapped: acknowledged.filter(({ episode }) => tapStreams.has(episode)).length,
      ...tappedSteps(rows, tapped),
      interrupted: interrupted(rows),
      ...restarts(rows),
      calls: checkCalls(rows, sessionsOf),
      nameOf: namesIn(rows),
    };
  } finally {
    db.close();
  }
}

function interrupted(rows: readonly EventRow[]): string[] {
  const own = new Set<string>();
  return rows.flatMap(({ stream, kind, body }) => {
    if (kind === 'episode.started' && body.includes('"source":"run"')) own.add(stream);
    const event: unknown = kind === 'episode.ended' && own.has(stream) ? tryJson(body) : null;
    if (!isRecord(event) || event['outcome'] !== 'interrupted') return [];
    return [`${stream}: ${String(event['reason'])} ${JSON.stringify(event['failure'])}`];
  });
}

/** An episode counts by itself where it ever did; one that a person brought back each time counts there. */
function restarts(rows: readonly EventRow[]): { wentOn: number; wentOnByWord: number } {
  const pickedUpBy = new Map<string, string>();
  const byThemselves = new Set<string>();
  const byWord = new Set<string>();
  for (const { stream, kind, actor, body } of rows) {
    if (kind === 'episode.picked_up') pickedUpBy.set(stream, actor);
    if (kind !== 'episode.went_on' || !body.includes('"drift":null')) continue;
    (pickedUpBy.get(stream)?.includes('"system"') === true ? byThemselves : byWord).add(stream);
  }
  return { wentOn: byThemselves.size, wentOnByWord: byWord.size };
}

function namesIn(rows: readonly EventRow[]): LogFindings['nameOf'] {
  const names = new Map<string, string>();
  for (const { kind, body } of rows) {
    const event: unknown = kind === 'consultation.asked' ? tryJson(body) : null;
    const client = isRecord(event) ? event['client'] : null;
    const name = isRecord(client) ? client['idempotency_sha256'] : null;
    if (isRecord(event) && typeof name === 'string') names.set(String(event['consultation']), name);
  }
  return (consultation) => names.get(consultation) ?? null;
}

const keyOf = (...parts: string[]): string => JSON.stringify(parts);

function streamGaps(rows: readonly EventRow[]): string[] {
  const last = new Map<string, number>();
  const gaps: string[] = [];
  for (const { stream, n } of rows) {
    const due = (last.get(stream) ?? 0) + 1;
    if (n !== due) gaps.push(`${stream}: ${String(n)} where ${String(due)} was due`);
    last.set(stream, n);
  }
  return gaps;
}

/** A session whose stream has a gap recorded is explained as far as the gap says. */
function tappedSteps(rows: readonly EventRow[], { answered }: TappedSteps) {
  const streamOf = new Map<number, string>();
  const returned = new Set<string>();
  const gapFrames = new Map<string, number>();
  const callOf = new Map<number, string>();
  let recordedGaps = 0;
  for (const { stream, kind, body } of rows) {
    const event: unknown = tryJson(body);
    if (!isRecord(event)) continue;
    if (kind === 'recording.gap') {
      recordedGaps += 1;
      gapFrames.set(stream, (gapFrames.get(stream) ?? 0) + Number(event['frames']));
    }
    if (kind === 'call.returned') returned.add(`${stream} ${String(event['call'])}`);
    const number = kind === 'move.proposed' ? /"workflow_id":(1\d{6})\b/.exec(body)?.[1] : undefined;
    if (number === undefined) continue;
    streamOf.set(Number(number), stream);
    callOf.set(Number(number), `${stream} ${String(event['call'])}`);
  }
  let unexplainedSteps = 0;
  for (const own of answered) {
    const missing = own.filter((number) => !returned.has(callOf.get(number) ?? ''));
    const stream = own.map((number) => streamOf.get(number)).find((one) => one !== undefined);
    // A step is two frames: its request and its answer.
    const explained = Math.ceil((gapFrames.get(stream ?? '') ?? 0) / 2);
    unexplainedSteps += Math.max(0, missing.length - explained);
  }
  return { unexplainedSteps, recordedGaps };
}
