import { describe, expect, it } from 'vitest';
import { foldAll } from '../../../src/shared/episode/fold.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { SYSTEM } from '../../../src/shared/events/actor.ts';
import { filterRows, findRows, foldTechnical } from '../../../src/renderer/parts/timeline/useTimeline.ts';
import { episodeMarkdown } from '../../../src/renderer/parts/timeline/markdown.ts';
import { segmentsOf } from '../../../src/renderer/parts/timeline/Minimap.tsx';
import { nextFrame } from '../../../src/renderer/views/episode/Scrubber.tsx';
import { createReplayer } from '../../../src/renderer/views/episode/ReplayedEpisode.tsx';
import { createRows, rowsOf } from '../../../src/shared/timeline/rows.ts';
import type { TimelineRow } from '../../../src/shared/timeline/timelineRow.ts';
import { assisted, episode, EXPERT, unjudged } from './episodes.ts';

const named = (name: string, rows = rowsOf(assisted().record())) => {
  const row = rows.find((r) => r.name === name);
  if (row === undefined) throw new Error(`no row "${name}" among ${rows.map((r) => r.name).join(', ')}`);
  return row;
};

describe('the lines of a timeline', () => {
  it('tell the story of an episode when only the strong words are read', () => {
    const names = rowsOf(assisted().record()).map((row) => row.name);

    expect(names).toEqual([
      'Started',
      'Connected',
      'Reset',
      'Tools listed',
      'Look up order twelve',
      'List orders for customer 12: status open',
      'Ask an expert',
      'Draft edited',
      'Look up order 12',
      'Move order 12 to status closed',
      'Final answer',
      'The verifier says complete',
      'Ended',
    ]);
  });

  it('say what a call does with the names that the agent had read by then, and what came of it in words', () => {
    const say = (record: EpisodeRecord) =>
      rowsOf(record).flatMap(({ sentence, name, detail, result }) =>
        sentence !== undefined ? [[name, detail, result]] : [],
      );
    const builder = episode()
      .open()
      .call('get_order', { order_id: 7 }, { error: '{"detail":"Order 7 not found"}' })
      .call('list_orders', { customer_id: 12 }, { text: '[{"order_id":7,"number":"A-7"}]' })
      .call('get_order', { order_id: 7 }, { text: '{"order_id":7,"number":"A-7","status":"open"}' });

    expect(say(builder.record())).toEqual([
      ['Look up order 7', 'get_order', 'Order 7 was not found.'],
      ['List orders for customer 12', 'list_orders', 'Found 1 order: A-7.'],
      ['Look up order A-7', 'get_order', 'A-7: status open.'],
    ]);
    const grown = createRows();
    for (const n of [builder.events.length - 4, builder.events.length])
      expect(grown(foldAll('e1', builder.events.slice(0, n))).length).toBeGreaterThan(0);
    expect(grown(builder.record()).at(-1)?.name).toBe('Look up order A-7');
  });

  it('never call a timeout, a script or the advisor an act of a person', () => {
    const expired = episode().open().ask('Which?').add(SYSTEM, {
      kind: 'consultation.expired',
      consultation: 'e1:c1',
      fallback: 'proceed',
      reason: 'deadline',
    });
    const scripted = episode()
      .open()
      .ask('Which?')
      .draft('x')
      .approve('accept', 'x', { type: 'scripted', id: 'file' });
    const byModel = episode()
      .open()
      .ask('Which?')
      .draft('x')
      .approve('accept', 'x', { type: 'model', id: 'm' });

    expect(named('The deadline passed', rowsOf(expired.record()))).toMatchObject({
      role: 'system',
      detail: 'the agent continued without advice',
    });
    expect(named('Draft accepted by a script', rowsOf(scripted.record())).role).toBe('scripted');
    expect(named('The advisor answered', rowsOf(byModel.record())).role).toBe('model');
  });

  it('put what the agent was told between a refused or unreadable call and the next step', () => {
    const record = episode()
      .open()
      .turn({ type: 'call_tool', tool_name: 'verify', arguments: {} })
      .add(SYSTEM, {
        kind: 'call.refused',
        call: 'k1',
        tool_name: 'verify',
        reason: 'reserved',
        text: 'Error: `verify` is not a tool of yours. Finish with plain text.',
      })
      .turn({ type: 'malformed', code: 'bad_json', detail: 'The arguments are no JSON object.' })
      .record();

    const rows = rowsOf(record).slice(4);

    expect(rows.map(({ name, outcome }) => [name, outcome?.label])).toEqual([
      ['Verify', 'refused: reserved'],
      ['Not sent to the environment', undefined],
      ['Unreadable call', 'bad_json'],
      ['The agent was told that its reply was unreadable', undefined],
    ]);
  });

  it('stand in the order things happened: a question where it was decided, after what came while it waited', () => {
    const builder = episode()
      .open()
      .ask('Which?')
      .add(EXPERT, {
        kind: 'answer_key.shown',
        seat: 'seat-1',
        saw: ['criteria'],
      });
    const names = () =>
      rowsOf(builder.record())
        .map((row) => row.name)
        .slice(-2);

    expect(names()).toEqual(['Waiting for an expert', 'Answer key shown']);
    builder.approve('send', 'This one.');
    expect(names()).toEqual(['Answer key shown', 'Advice written']);
    const times = rowsOf(assisted().record()).map((row) => row.at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('stay the same objects while the episode grows, so that nothing read is drawn again', () => {
    const builder = assisted();
    const makeRows = createRows();

    const before = makeRows(foldAll('e1', builder.events.slice(0, 20)));
    const after = makeRows(foldAll('e1', builder.events));

    expect(after.length).toBeGreaterThan(before.length);
    expect(new Set(after.map((row) => row.key)).size).toBe(after.length);
    expect(before.map((row) => row.key)).toEqual(after.slice(0, before.length).map((row) => row.key));
  });
});

it('what a filter leaves keeps what people did and the verdict under every filter', () => {
  const rows = rowsOf(assisted().record());

  for (const filter of ['calls', 'messages', 'reasoning'] as const) {
    const names = filterRows(rows, filter).map((row) => row.name);
    expect(names).toContain('Draft edited');
    expect(names).toContain('The verifier says complete');
    expect(names).not.toContain('Connected');
  }
});

describe('technical steps', () => {
  const quiet = () => false;
  const shown = (rows: readonly TimelineRow[], wanted: string[] = []) =>
    foldTechnical(rows, quiet, new Set(wanted)).map(({ name, detail }) => `${name}: ${detail}`);
  const lost = { code: 'closed' as const, message: 'gone', next: null };

  it('are one quiet line that names them, and what went wrong is none of them', () => {
    const failed = episode().open();
    failed.add(SYSTEM, { kind: 'connection.changed', state: 'failed', failure: lost });

    expect(shown(rowsOf(failed.record()))).toEqual([
      'Started: Built-in worlds · orders_1 task 0  · seed 7',
      '3 technical steps: Connected, Reset, Tools listed',
      'Connection failed: gone',
    ]);
  });

  it('are unfolded where one of them is found, and by their own line', () => {
    const rows = rowsOf(episode().open().record());
    const key = rows[2]?.key ?? '';

    expect(shown(rows, [key])).toHaveLength(5);
    expect(foldTechnical(rows, (one) => one.startsWith('technical'), new Set())).toHaveLength(5);
  });
});

it('finding in an episode says how many texts it could search only the beginning of', () => {
  const long = { $blob: 'a'.repeat(64), length: 90_000, lines: 10, head: 'the beginning' };
  const builder = episode().open().call('get_order', { order_id: 1 }, { text: 'x' });
  const last = builder.events.at(-1);
  if (last?.event.kind === 'call.returned') last.event.text = long;
  const record = builder.record();

  expect(findRows(rowsOf(record), record, 'beginning')).toMatchObject({ partly: 1 });
});

it('the map beside the timeline covers every row once, in order, in at most as many stretches as fit', () => {
  const rows = rowsOf(assisted().record());

  for (const max of [1, 5, 500]) {
    const segments = segmentsOf(rows, max);
    expect(segments[0]?.from).toBe(0);
    expect(segments.at(-1)?.to).toBe(rows.length);
    expect(segments.length).toBe(Math.min(max, rows.length));
    segments.slice(1).forEach((segment, index) => expect(segment.from).toBe(segments[index]?.to));
  }
});

describe('an episode as Markdown', () => {
  it('holds the task, each turn, the draft and the advice', () => {
    const record = assisted().record();
    const text = episodeMarkdown(record, rowsOf(record));

    expect(text).toContain('- Outcome: Complete (reward 1)');
    expect(text).toContain('## Turn 1 · Agent: Look up order twelve — failed (reward -1)');
    expect(text).toContain('Advice (edit):');
    expect(text).toContain('order_id: not a whole number');
  });

  it('cut off on the way says where, and not that the episode is running', () => {
    const { events } = assisted();
    const record = foldAll('e1', events.slice(0, -1));
    const text = episodeMarkdown(record, rowsOf(record), undefined, `event ${String(record.n)} of 20`);

    expect(text).toContain(`- Up to: event ${String(record.n)} of 20`);
    expect(text).not.toContain('- Status:');
  });

  it('tells a reward that no verifier gave as what it is', () => {
    const record = unjudged();
    expect(episodeMarkdown(record, rowsOf(record))).toContain('- Reward: 1 (not verified)');
  });

  it('fences hostile text so that it cannot end its fence, and says when a text is only a beginning', () => {
    const blob = { $blob: 'b'.repeat(64), length: 90_000, lines: 10, head: 'head' };
    const builder = episode().open().call('get_order', {}, { text: '```\n# not a heading\n````' });
    builder.call('get_order', {}, { text: 'x' });
    const last = builder.events.at(-1);
    if (last?.event.kind === 'call.returned') last.event.text = blob;
    const record = builder.record();
    const text = episodeMarkdown(record, rowsOf(record));

    expect(text).toContain('`````\n```\n# not a heading\n````\n`````');
    expect(text).toContain('Result (the beginning of 90,000 characters, 10 lines):');
  });
});

describe('replaying', () => {
  it('gives at every event the record that folding its prefix gives, in whatever order one goes', () => {
    const { events } = assisted();
    const replayer = createReplayer('e1', events);

    for (const n of [events.length, 0, 5, 4, 17, 18, 3]) {
      expect(replayer.at(n)).toEqual(foldAll('e1', events.slice(0, n)));
    }
    expect(replayer.at(9_999)).toEqual(foldAll('e1', events));
  });

  it('plays as recorded, faster, or at a steady pace over what changes nothing to see', () => {
    const { events } = assisted();
    const decided = events.find((event) => event.event.kind === 'advice.approved')?.n ?? 0;

    expect(nextFrame(events, decided - 1, { type: 'recorded', factor: 1 })).toEqual({
      n: decided,
      delayMs: 20_000,
    });
    expect(nextFrame(events, decided - 1, { type: 'recorded', factor: 16 })?.delayMs).toBe(1250);
    expect(nextFrame(events, 4, { type: 'steady', perSecond: 2 })).toEqual({ n: 7, delayMs: 500 });
    expect(nextFrame(events, events.length, { type: 'steady', perSecond: 2 })).toBeNull();
  });
});
