import { describe, expect, it } from 'vitest';
import { eventsOf } from '../../../src/renderer/parts/timeline/StepEvents.tsx';
import { treeMove } from '../../../src/renderer/parts/text/JsonTree.tsx';
import { EMPTY_TREE, jsonLines } from '../../../src/renderer/parts/text/jsonTree.ts';
import { rowsOf } from '../../../src/shared/timeline/rows.ts';
import { textSegments } from '../../../src/renderer/parts/timeline/MessageText.tsx';
import { stopsOf, stopTicks } from '../../../src/renderer/views/episode/Scrubber.tsx';
import { assisted, episode } from './episodes.ts';

it('the events behind a step are those from its first to the one before the next step’s, so that together they are the whole log', () => {
  const builder = assisted();
  const rows = rowsOf(builder.record());
  const kinds = (name: string) =>
    eventsOf(builder.events, rows, rows.find((row) => row.name === name)?.key ?? null).map(
      ({ event }) => event.kind,
    );

  expect(kinds('List orders for customer 12: status open')).toEqual([
    'turn.generated',
    'move.proposed',
    'call.sent',
    'call.returned',
  ]);
  expect(kinds('Draft edited')).toEqual([
    'consultation.asked',
    'advice.drafted',
    'advice.approved',
    'advice.delivered',
  ]);
  expect(eventsOf(builder.events, rows, null)).toEqual([]);
  const all = rows.flatMap((row) => eventsOf(builder.events, rows, row.key).map(({ n }) => n));
  expect(new Set(all).size).toBe(builder.events.length);
});

it('what the agent reads is shown by whose words each stretch holds, none lost', () => {
  const content = 'Error: no such order\n\nYou may ask.\n\n[cut]';
  const segments = [
    { type: 'nudge' as const, start: 22, end: 34 },
    { type: 'environment' as const, start: 0, end: 20 },
  ];

  expect(textSegments({ content, segments })).toEqual([
    { type: 'environment', text: 'Error: no such order' },
    { type: 'nudge', text: 'You may ask.' },
    { type: 'plain', text: '\n\n[cut]' },
  ]);
});

describe('a tree under the keyboard', () => {
  const lines = jsonLines({ a: { b: 1 }, c: 2 }, EMPTY_TREE);

  it('opens to the right, closes to the left, and leads from a value to its parent', () => {
    expect(treeMove('ArrowDown', lines, 0)).toEqual({ index: 1, toggle: null });
    expect(treeMove('ArrowLeft', lines, 2)).toEqual({ index: 1, toggle: null });
    expect(treeMove('ArrowLeft', lines, 1)).toEqual({ index: 1, toggle: '$.a' });
    expect(treeMove('ArrowRight', lines, 1)).toEqual({ index: 2, toggle: null });
    expect(treeMove('x', lines, 1)).toBeNull();
  });
});

it('the scrubber marks a dense stretch once per kind, and never leaves out a person for an error', () => {
  const builder = episode().open();
  for (let index = 0; index < 400; index += 1) builder.call('get_order', {}, { error: 'no' });
  builder.ask('Which?').approve('send', 'This');
  const { events } = builder;
  const ticks = stopTicks(stopsOf(events), events.length);

  expect(ticks.filter(({ type }) => type === 'human')).toHaveLength(1);
  expect(ticks.filter(({ type }) => type === 'error').length).toBeLessThanOrEqual(301);
});
