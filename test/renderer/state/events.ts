// Short ways to make recorded events and rows.
import type { EpisodeRow } from '../../../src/shared/episode/rowShapes.ts';
import type { LogEvent, Recorded } from '../../../src/shared/events/vocabulary.ts';
import { started } from '../../support/log.ts';

export const recordedOf = (stream: string, n: number, event: LogEvent): Recorded => ({
  seq: n,
  stream,
  n,
  at: 1000 + n,
  actor: { type: 'system', id: null },
  event,
});

/** An episode of `count` events: its start, then people asking it to stop. */
export const episodeOf = (stream: string, count: number): Recorded[] =>
  Array.from({ length: count }, (_, index) =>
    recordedOf(stream, index + 1, index === 0 ? started() : { kind: 'stop.requested', reason: null }),
  );

export const rowOf = (over: Partial<EpisodeRow> = {}): EpisodeRow => ({
  id: 'e1',
  seq: 1,
  status: 'running',
  outcome: null,
  failure: null,
  environment: 'Built-in worlds',
  scenario: 'loomline_workflows',
  task_idx: 0,
  task: 'Move the ticket.',
  condition: 'human+draft',
  policy: 'rehearsal',
  model: null,
  started_at: 1000,
  updated_at: 1000,
  turns: 1,
  turn_limit: 15,
  consultations: 0,
  waiting: 0,
  tool_errors: 0,
  human_acts: 0,
  reward_type: null,
  reward: null,
  strip: 'o',
  is_blinded: false,
  is_covered: false,
  waiting_since: null,
  forked_from: null,
  source: 'run',
  group: null,
  run: null,
  step: null,
  touched: 0,
  ...over,
});
