// What the log of a broken product must hold, read with SQLite alone and compared with what outsiders were promised.
import Sqlite from 'better-sqlite3';
import { isRecord, tryJson } from '../../src/shared/json.ts';
import type { Acknowledged, TappedSteps } from './clients.ts';

type Row = { seq: number; stream: string; n: number; kind: string; body: string };

export type LogFindings = {
  integrity: string;
  events: number;
  /** Streams whose numbers do not count from 1 without gaps. */
  gaps: string[];
  /** Acknowledged answers that are not in the log, and those that are there more than once. */
  lost: Acknowledged[];
  doubled: Acknowledged[];
  /** Tapped steps that were answered, are not in the log, and are in no recorded gap. */
  unexplainedSteps: number;
  recordedGaps: number;
  interrupted: number;
  ended: number;
  /** Episodes that were interrupted and went on as themselves at a later start. */
  wentOn: number;
};

export function checkLog(
  path: string,
  acknowledged: readonly Acknowledged[],
  tapped: TappedSteps,
): LogFindings {
  const db = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    const rows = db.prepare<[], Row>('SELECT seq, stream, n, kind, body FROM events ORDER BY seq').all();
    const approved = new Map<string, number>();
    for (const { stream, kind, body } of rows) {
      if (kind !== 'advice.approved') continue;
      const event: unknown = tryJson(body);
      if (!isRecord(event)) continue;
      const key = keyOf(stream, String(event['consultation']), String(event['text']));
      approved.set(key, (approved.get(key) ?? 0) + 1);
    }
    const times = ({ episode, consultation, text }: Acknowledged): number =>
      approved.get(keyOf(episode, consultation, text)) ?? 0;
    const count = (kind: string): number => rows.filter((row) => row.kind === kind).length;
    return {
      integrity: String(db.pragma('integrity_check', { simple: true })),
      events: rows.length,
      gaps: streamGaps(rows),
      lost: acknowledged.filter((one) => times(one) === 0),
      doubled: acknowledged.filter((one) => times(one) > 1),
      ...tappedSteps(rows, tapped),
      interrupted: rows.filter(({ kind, body }) => kind === 'episode.ended' && body.includes('"interrupted"'))
        .length,
      ended: count('episode.ended'),
      wentOn: rows.filter(({ kind, body }) => kind === 'episode.went_on' && body.includes('"drift":null'))
        .length,
    };
  } finally {
    db.close();
  }
}

const keyOf = (...parts: string[]): string => JSON.stringify(parts);

function streamGaps(rows: readonly Row[]): string[] {
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
function tappedSteps(rows: readonly Row[], { answered }: TappedSteps) {
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
