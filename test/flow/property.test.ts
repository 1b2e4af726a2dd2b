// What must hold whatever happens in whatever order: three seats, deadlines and agents on one log, by seed.
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { PROJECTED_TABLES, rebuildProjections } from '../../src/main/log/rebuild.ts';
import { foldAll, foldBatch } from '../../src/shared/episode/fold.ts';
import { holdItems } from '../../src/shared/episode/calls.ts';
import { emptyRecord } from '../../src/shared/episode/record.ts';
import { deskItems, episodeRow } from '../../src/shared/episode/rows.ts';
import { kindsWhere, type Recorded } from '../../src/shared/events/vocabulary.ts';
import { Failure } from '../../src/shared/failure.ts';
import { checkLines, rowsOf } from '../support/episodeLines.ts';
import { createInterleaving, type Interleaving, type Tried } from '../support/interleaving.ts';

const SEEDS = 600;
const STEPS = 36;
const OUTCOMES: ReadonlySet<string> = new Set(kindsWhere(({ settles }) => settles === 'question'));
const CALL_OUTCOMES: ReadonlySet<string> = new Set(kindsWhere(({ settles }) => settles === 'call'));
/** What a refused command may say; anything else is a fault of ours. */
const REFUSALS: ReadonlySet<string> = new Set([
  'already_answered',
  'stale',
  'not_found',
  'bad_input',
  'closed',
  'model_unavailable',
]);

/** As `expect(…).toEqual`, which is slow where nothing is wrong. */
function same(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

const allEvents = ({ db, log }: Interleaving): Recorded[] =>
  db
    .prepare<[], { stream: string }>('SELECT DISTINCT stream FROM events')
    .all()
    .flatMap(({ stream }) => log.read(stream))
    .toSorted((a, b) => a.seq - b.seq);

function checkOutcomes({ asked, held, log }: Interleaving, events: readonly Recorded[]): void {
  for (const { episode, id, advice, failed } of asked) {
    const own = events.filter(({ event }) => 'consultation' in event && event.consultation === id);
    const outcomes = own.filter(({ event }) => OUTCOMES.has(event.kind));
    expect(outcomes, `outcomes of ${id}`).toHaveLength(1);
    expect(failed, `${id} failed`).toBeNull();
    const decision = log.record(episode).consultations.find((one) => one.id === id)?.decision;
    const means = { approved: 'advice', declined: 'declined', cancelled: 'nobody', expired: '' } as const;
    if (decision?.type === 'expired') expect(advice?.as).toMatch(/^(draft|timed_out|nobody)$/);
    else expect(advice?.as).toBe(means[decision?.type ?? 'expired']);
    if (decision?.type === 'approved') expect(advice?.text).toBe(log.texts.loadText(decision.text));
  }
  for (const { episode, id, decision, failed } of held) {
    const outcomes = events.filter(
      ({ stream, event }) =>
        stream === episode && CALL_OUTCOMES.has(event.kind) && 'call' in event && event.call === id,
    );
    expect(outcomes, `decisions on ${episode} ${id}`).toHaveLength(1);
    expect(failed).toBeNull();
    const recorded = log.record(episode).turns.find(({ callId }) => callId === id)?.call?.decision;
    expect(decision).toEqual(recorded);
  }
}

/** A command that was refused left nothing; one that succeeded stands in the log as that seat's, word for word. */
function checkCommands({ tried, log }: Interleaving, events: readonly Recorded[]): void {
  const left = new Set(
    events.filter(({ actor, event }) => actor.type === 'human' && DECIDES[event.kind] !== undefined),
  );
  for (const one of tried) {
    const { result } = one;
    if (!result.ok) {
      expect(result.thrown).toBeInstanceOf(Failure);
      expect(REFUSALS).toContain((result.thrown as Failure).code);
      expect(one.didWrite, `${one.method} was refused and wrote`).toBe(false);
      continue;
    }
    if (one.method === 'desk.redraft') {
      const { draft } = result.value as { draft: string };
      const isLogged = events.some(({ event }) => event.kind === 'advice.drafted' && event.draft === draft);
      expect(isLogged, 'the draft that was promised').toBe(true);
      continue;
    }
    const found = [...left].filter((recorded) => isOf(recorded, one, (text) => log.texts.loadText(text)));
    if (one.method === 'desk.claim' || one.method === 'desk.pass') continue;
    expect(found.length, `${one.method} of ${one.words}`).toBeGreaterThan(0);
    for (const recorded of found) left.delete(recorded);
  }
  expect([...left], 'decisions nobody made').toEqual([]);
}

/** Kinds that only a person's command leaves, and where its words stand. */
const DECIDES: Record<string, string | undefined> = {
  'advice.approved': 'desk.answer',
  'advice.declined': 'desk.decline',
  'advice.late': 'desk.advise_late',
  'call.approved': 'call.approve',
  'call.edited': 'call.edit',
  'call.rejected': 'call.reject',
  'call.answered': 'call.answer',
  'phase.changed': 'episode.control',
  'correction.discarded': 'episode.control',
  'policy.changed': 'call.approve',
  'note.interjected': 'note.send',
};

type Whole = (text: Extract<Recorded['event'], { kind: 'advice.approved' }>['text']) => string;

function isOf({ actor, stream, event }: Recorded, one: Tried, loadText: Whole): boolean {
  const isTheirs = actor.id === one.seat && stream.replace(/^late\//, '') === one.episode;
  if (!isTheirs) return false;
  switch (event.kind) {
    case 'advice.approved':
    case 'advice.late':
    case 'call.answered':
    case 'note.interjected':
      return loadText(event.text).startsWith(one.words);
    case 'advice.declined':
    case 'call.rejected':
    case 'phase.changed':
    case 'correction.discarded':
      return event.reason === one.words;
    case 'call.edited':
      return event.arguments['note'] === one.words;
    case 'call.approved':
      return one.method === 'call.approve' && event.call === one.about;
    case 'policy.changed':
      return one.method === 'call.approve';
    default:
      return false;
  }
}

function checkTimeouts({ log, asked }: Interleaving, events: readonly Recorded[]): void {
  for (const { at, actor, event } of events) {
    if (event.kind === 'advice.declined' || event.kind === 'call.rejected') expect(actor.type).toBe('human');
    if (event.kind !== 'consultation.expired') continue;
    const { episode } = asked.find(({ id }) => id === event.consultation) ?? { episode: '' };
    const consultation = log.record(episode).consultations.find(({ id }) => id === event.consultation);
    expect(actor.type).toBe('system');
    expect(consultation?.delivered?.as).not.toBe('declined');
    if (event.reason === 'deadline') expect(at).toBeGreaterThanOrEqual(consultation?.deadline_at ?? Infinity);
  }
}

function checkFold({ log, chance }: Interleaving): void {
  for (const episode of ['e1', 'e2']) {
    const events = log.read(episode);
    same(foldAll(episode, events), log.record(episode));
    const cut = chance.below(events.length);
    const half = foldBatch(emptyRecord(episode), events.slice(0, cut));
    same(foldBatch(half, events.slice(Math.max(0, cut - 2))), log.record(episode));
  }
}

function checkProjections({ log }: Interleaving): void {
  const records = ['e1', 'e2'].map((episode) => log.record(episode));
  const byKey = <T>(key: (one: T) => string, list: T[]): T[] =>
    list.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  same(
    byKey(({ consultation }) => consultation, log.projections.desk(100).items),
    byKey(({ consultation }) => consultation, records.flatMap(deskItems)),
  );
  same(
    byKey(({ key }) => key, log.projections.holds(100)),
    byKey(({ key }) => key, records.flatMap(holdItems)),
  );
  same(
    records.map(({ id }) => log.projections.episode(id)),
    records.map((record) => ({ ...episodeRow(record), tags: [] })),
  );
}

const tables = ({ db }: Interleaving) => rowsOf(db, PROJECTED_TABLES);

async function play(seed: number) {
  const world = createInterleaving(seed);
  try {
    for (let step = 1; step <= STEPS; step += 1) {
      await world.step();
      if (step % 12 !== 0) continue;
      checkFold(world);
      checkProjections(world);
    }
    const before = tables(world);
    rebuildProjections(world.db);
    same(tables(world), before);
    checkLines(world.db, world.log);
    await world.finish();
    const events = allEvents(world);
    checkOutcomes(world, events);
    checkCommands(world, events);
    checkTimeouts(world, events);
    checkFold(world);
    checkProjections(world);
    checkLines(world.db, world.log);
    expect(world.log.projections.desk(1).total).toBe(0);
    expect(world.log.projections.holds(1)).toEqual([]);
    expect(world.listenerErrors).toEqual([]);
    return events;
  } finally {
    world.close();
  }
}

describe('whatever happens in whatever order', () => {
  const kinds = new Map<string, number>();
  const block = 50;

  it.each(Array.from({ length: SEEDS / block }, (_, index) => index * block))(
    'each question and each held call gets one outcome, and the log, the record and the tables agree (seeds from %i)',
    async (from) => {
      for (let seed = from; seed < from + block; seed += 1) {
        try {
          for (const { event } of await play(seed)) kinds.set(event.kind, (kinds.get(event.kind) ?? 0) + 1);
        } catch (cause) {
          throw new Error(`seed ${String(seed)}: ${cause instanceof Error ? cause.message : String(cause)}`, {
            cause,
          });
        }
      }
    },
    60_000,
  );

  it('is tried with every kind of decision a person can make', () => {
    expect(Object.keys(DECIDES)).toEqual(
      expect.arrayContaining(kindsWhere(({ work }) => work === 'decision')),
    );
  });

  afterAll(() => {
    // A run that never reaches a race proves nothing about it.
    for (const kind of [...OUTCOMES, ...CALL_OUTCOMES, 'consultation.extended', 'advice.late']) {
      expect(kinds.get(kind) ?? 0, `${kind} never happened`).toBeGreaterThan(20);
    }
  });
});
