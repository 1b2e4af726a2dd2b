// An episode that is killed at every place of its log. The second road to the same result is the same episode that nobody
// kills: after every single commit of it a copy of the data folder is what `kill -9` would have left, and each copy is
// opened and played to its end by the same person.
import { expect } from 'vitest';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import type { Recorded } from '../../src/shared/events/vocabulary.ts';
import { killedCopy } from './dataFolder.ts';
import { openProduct, removeFolder, startInput, type Product } from './product.ts';

export const ME = 'seat-one';
export const TIMING = { first_seen_at: 1, active_ms: 30_000 };

/** What a person does when they see this record; nothing while there is nothing to do. */
export type Person = (product: Product, record: EpisodeRecord) => Promise<unknown> | null;

/** Plays the person until the episode is over. They look at the record alone, so a restart changes nothing for them. */
export async function playedOut(product: Product, id: string, person: Person): Promise<EpisodeRecord> {
  let seen = -1;
  for (;;) {
    const record = await product.until(id, (one) => one.ended !== null || one.n > seen);
    if (record.ended !== null) return record;
    seen = record.n;
    await person(product, record);
  }
}

type Copy = { n: number; folder: string };

/** A copy of the folder after every commit about the episode. */
function copiesOf(product: Product, id: () => string): Copy[] {
  const copies: Copy[] = [];
  product.log.subscribe(({ stream }) => {
    if (stream !== id()) return;
    // Of events that are committed together each is heard of.
    const { n } = product.log.record(stream);
    if (copies.at(-1)?.n !== n) copies.push({ n, folder: killedCopy(product.folder) });
  });
  return copies;
}

const RESTART = new Set<string>([
  'episode.broke_off',
  'episode.picked_up',
  'episode.went_on',
  'call.doubted',
  'doubt.settled',
]);
const VOLATILE = new Set([
  'note',
  'at',
  'n',
  'seq',
  'latency_ms',
  'deadline_at',
  'seen_seq',
  'draft',
  'until',
]);

/**
 * The events without what a restart adds, times, places and ids. Connections are each session's own, and a call that was
 * sent once more is there twice.
 */
export function told(events: readonly Recorded[], id: string): unknown[] {
  const sent = new Set<string>();
  return events.flatMap(({ actor, event }) => {
    if (RESTART.has(event.kind) || event.kind === 'connection.changed') return [];
    if (event.kind === 'call.sent' && sent.has(event.call)) return [];
    if (event.kind === 'call.sent') sent.add(event.call);
    return [{ actor, event: plain(event, id) }];
  });
}

function plain(value: unknown, id: string): unknown {
  if (typeof value === 'string')
    return value
      .replaceAll(id, 'EPISODE')
      .replaceAll(/\/\S+?\/trajectory\.json/g, 'FILE')
      .replaceAll(/"latency_ms":[\d.]+/g, '')
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, 'UUID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'TIME');
  if (Array.isArray(value)) return value.map((one) => plain(one, id));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (VOLATILE.has(name) ? [] : [[name, plain(one, id)]])),
  );
}

export type KilledOptions = {
  /** Sets up the folder of the first product. */
  prepare?: (product: Product) => Promise<Partial<Parameters<typeof startInput>[0]>>;
  variables?: Parameters<typeof openProduct>[1];
  /** Begins the episode in another way than `episode.start` does, and gives its id. */
  begin?: (product: Product) => Promise<string>;
  /** The places that are tried; every one where it is left out. */
  isTried?: (n: number, record: EpisodeRecord) => boolean;
  /** Every so many of those places: each opens the product once more. */
  every?: number;
  /** A folder is about to be opened again. */
  opening?: () => void;
  /** Looks at an episode that was killed at `n` and has gone on to its end. */
  check?: (product: Product, record: EpisodeRecord, n: number) => Promise<void> | void;
};

/** Plays the episode unkilled, then once more from every place it could have been killed at. */
export async function killedEverywhere(
  start: Parameters<typeof startInput>[0],
  person: Person,
  { prepare, begin, variables = {}, isTried = () => true, every = 1, opening, check }: KilledOptions = {},
) {
  const first = await openProduct(undefined, variables);
  let id = '';
  const copies = copiesOf(first, () => id);
  try {
    const more = (await prepare?.(first)) ?? {};
    // The first commit is heard of before the id is known.
    const off = first.log.subscribe(({ stream, event }) => {
      if (event.kind === 'episode.started') id = stream;
    });
    id =
      (await begin?.(first)) ??
      (await first.as(ME)('episode.start', startInput({ ...start, ...more }))).episodes[0] ??
      '';
    const unkilled = await playedOut(first, id, person);
    off();
    const truth = told(first.log.read(id), id);
    let delivered = 0;
    const tried = copies
      .filter(({ n }) => n < unkilled.n && isTried(n, unkilled))
      .filter((_copy, at) => at % every === 0);
    for (const { n, folder } of tried) {
      opening?.();
      const next = await openProduct(folder, variables);
      try {
        const record = await playedOut(next, id, person);
        const events = next.log.read(id);
        expect({ n, events: told(events, id) }).toEqual({ n, events: truth });
        expect({ n, restarts: record.restarts }).toMatchObject({
          n,
          restarts: [{ wentOn: { drift: null } }],
        });
        await check?.(next, record, n);
        delivered += events.filter(({ event }) => event.kind === 'advice.delivered').length;
      } finally {
        await next.close();
      }
    }
    return { unkilled, positions: tried.length, delivered };
  } finally {
    await first.close();
    for (const { folder } of copies) removeFolder(folder);
    removeFolder(first.folder);
  }
}
