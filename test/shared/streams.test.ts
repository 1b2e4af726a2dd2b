// Which stream each role may read, both ways; a kind that nobody decided about is nobody's.
import { expect, it } from 'vitest';
import { checkTopic } from '../../src/shared/contract/roles.ts';
import { STREAM_READERS, streamKind, type StreamKind } from '../../src/shared/events/streams.ts';

const EXPERT = { seat: 'seat-guest', invite: 'invite-1' };
const NAMES: Record<StreamKind, string> = {
  episode: '01J9-some-episode',
  late: 'late/e1',
  tags: 'tags/e1',
  import: 'import/e1',
  seat: 'seat/seat-other',
  annotate: 'annotate/p1',
  rewards: 'rewards/profiles',
  curriculum: 'curriculum/run-1',
  training: 'training/run-1',
  benches: 'benches',
  lifts: 'lifts',
  lift: 'lift/e1',
  exports: 'exports',
  splits: 'splits',
};
const KINDS = Object.keys(STREAM_READERS) as StreamKind[];
const watch = (episode: string, caller: { seat: string; invite?: string }) => () =>
  checkTopic({ topic: 'episode', episode, after: 0 }, caller);

it.each(KINDS)('%s: is told by its name, and read by whom the table says', (kind) => {
  const stream = NAMES[kind];
  expect(streamKind(stream)).toBe(kind);
  expect(watch(stream, { seat: 'seat-one' })).not.toThrow();
  if (STREAM_READERS[kind].expert) expect(watch(stream, EXPERT)).not.toThrow();
  else expect(watch(stream, EXPERT)).toThrow(/an expert’s seat reads episodes/);
});

it('leaves an expert’s seat episodes alone', () => {
  expect(KINDS.filter((kind) => STREAM_READERS[kind].expert)).toEqual(['episode']);
});

it.each(['billing/e1', 'episode/e1', 'exports/1', '/', 'toString/x', '__proto__/x'])(
  'refuses a kind that nobody decided about: %s',
  (stream) => {
    expect(streamKind(stream)).toBeNull();
    expect(watch(stream, EXPERT)).toThrow(/an expert’s seat reads episodes/);
  },
);
