import { expect, it } from 'vitest';
import { rowStatus } from '../../../src/renderer/parts/episode/episodeRowText.ts';
import { standingOf } from '../../../src/renderer/parts/episode/facts.ts';
import { twinMarks } from '../../../src/renderer/parts/episode/twinMarks.ts';
import { cutText } from '../../../src/renderer/parts/episode/taskTitle.ts';
import { phaseLabel } from '../../../src/renderer/views/episode/phaseLabel.ts';
import type { EpisodeRow } from '../../../src/shared/episode/rowShapes.ts';
import { episodeRow } from '../../../src/shared/episode/rows.ts';
import { episode, EXPERT, TAKEN_OVER } from './episodes.ts';

const held = () =>
  episode()
    .open()
    .turn({ type: 'call_tool', tool_name: 'get_order', arguments: { order_id: 1 } })
    .hold();

it('a held call waits for approval in every place that names its state, also after a take-over', () => {
  const record = held().record();
  expect(standingOf(record).label).toBe('Waiting for approval');
  expect(phaseLabel(record, 'seat-1').label).toBe('Waiting for approval');
  const taken = held().add(EXPERT, TAKEN_OVER).record();
  expect(taken.status).toBe('waiting');
  expect(standingOf(taken).label).toBe('Waiting for approval');
  expect(standingOf(episode().open().add(EXPERT, TAKEN_OVER).record()).label).toBe('Person acting');
});

it('a line of a list names the state with the words of the header', () => {
  const paused = { ...TAKEN_OVER, to: 'paused' as const };
  const states = [
    held(),
    held().add(EXPERT, paused),
    episode().open().add(EXPERT, paused),
    episode().open(),
    episode().open().ask('Which order?'),
    episode().open().ask('Which order?').add(EXPERT, paused),
    episode().open().end('complete'),
  ].map((builder) => builder.record());
  for (const record of states) {
    const row = episodeRow(record) as EpisodeRow;
    expect(rowStatus(row)).toEqual(standingOf(record));
  }
  expect(states.map((record) => standingOf(record).label)).toEqual([
    'Waiting for approval',
    'Waiting for approval',
    'Paused',
    'Running',
    'Waiting for an expert',
    'Waiting for an expert',
    'Ended',
  ]);
});

it('repeats of one task are told apart by their order of start, and a lone episode needs no number', () => {
  const of = (episode: string, started_at: number | null, task_idx = 0, group: string | null = null) => ({
    episode,
    scenario: 'shop',
    task_idx,
    started_at,
    group,
  });
  const marks = twinMarks([of('c', 30), of('a', 10), of('z', null), of('alone', 5, 1), of('c', null)]);
  expect(Object.fromEntries(marks)).toEqual({ a: '1 of 3', c: '2 of 3', z: '3 of 3' });
  const rollouts = twinMarks([of('b', 2, 0, 'g'), of('a', 1, 0, 'g')]);
  expect(Object.fromEntries(rollouts)).toEqual({ a: 'rollout 1 of 2', b: 'rollout 2 of 2' });
});

it('cuts a title between the characters that a reader sees, in any script', () => {
  expect(cutText('عطّل الملخص الأسبوعي', 8)).toBe('عطّل الم…');
  expect(cutText('家族👨‍👩‍👧の旅行', 4)).toBe('家族👨‍👩‍👧…');
  expect(cutText('short', 10)).toBe('short');
});
