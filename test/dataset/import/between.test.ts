import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transcriptOf } from '../../../src/main/dataset/export/transcript.ts';
import { searchTexts } from '../../../src/main/log/searchIndex.ts';
import { filterRows, findRows } from '../../../src/renderer/parts/timeline/useTimeline.ts';
import { episodeMarkdown } from '../../../src/renderer/parts/timeline/markdown.ts';
import { nextFrame } from '../../../src/renderer/views/episode/Scrubber.tsx';
import { rowsOf } from '../../../src/shared/timeline/rows.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { textHead } from '../../../src/shared/events/text.ts';
import { call, createBench, first, json, lines, type Bench, WITHOUT_IDS } from './support.ts';

let bench: Bench;
beforeEach(() => (bench = createBench()));
afterEach(() => bench.close());

const told = (record: EpisodeRecord) =>
  (transcriptOf({ record, loadText: textHead })?.lines ?? []).map(({ role, content, calls }) => [
    role,
    content,
    calls.map(({ name, raw }) => `${name} ${raw}`).join('; '),
  ]);

describe('a conversation in which calls have no ids', () => {
  it('keeps each call and its result together when it is written as training data', async () => {
    const { records } = await bench.one(lines(...WITHOUT_IDS));
    for (const record of records)
      expect(told(record)).toEqual([
        ['user', 'Find x.', ''],
        ['assistant', '', 'find {"q":"x"}'],
        ['tool', 'x!', ''],
        ['assistant', 'Here.', ''],
      ]);
    expect(records).toHaveLength(2);
  });

  it('holds every call of a ShareGPT turn that lists several', async () => {
    const value = JSON.stringify(['x', 'z'].map((q) => ({ name: 'find', arguments: { q } })));
    const { records } = await bench.one(
      lines([
        {
          conversations: [
            { from: 'human', value: 'Find both.' },
            { from: 'function_call', value },
            { from: 'observation', value: 'fx' },
            { from: 'observation', value: 'fz' },
            { from: 'gpt', value: 'Here.' },
          ],
        },
      ]),
    );
    expect(
      first(records).turns.map(({ call: made }) => [made?.sent?.arguments, made?.returned?.text]),
    ).toEqual([
      [{ q: 'x' }, 'fx'],
      [{ q: 'z' }, 'fz'],
      [undefined, undefined],
    ]);
  });

  it('keeps the words of one that nobody can read', async () => {
    const { records } = await bench.one(
      lines([
        {
          conversations: [
            { from: 'human', value: 'Find x.' },
            { from: 'function_call', value: 'find(x)' },
            { from: 'gpt', value: 'Here.' },
          ],
        },
      ]),
    );
    expect(first(records).turns[0]?.toolCalls[0]?.arguments).toBe('find(x)');
  });
});

describe('a result that answers no call', () => {
  const conversation = (result: object) =>
    lines({
      messages: [
        { role: 'user', content: 'Find x.' },
        { role: 'assistant', content: 'I wait.' },
        result,
        { role: 'assistant', content: 'Here.' },
      ],
    });

  it('is written as words to the agent that say what they are, once, however often it is read and written', async () => {
    const { records } = await bench.one(conversation({ role: 'tool', tool_call_id: 'c9', content: 'x!' }));
    const [, , written] = told(first(records));
    expect(written).toEqual(['user', 'Tool response:\nx!', '']);

    const [role, content] = written ?? [];
    for (const again of [
      { role, content },
      { role: 'tool', tool_call_id: 'c9', content },
    ]) {
      const other = await bench.one(conversation(again));
      expect(told(first(other.records))[2]).toEqual(written);
    }
  });
});

describe('calls that stand in the text', () => {
  it('stand there in every reply alike, and nowhere else', async () => {
    const reply = (command: string) => ({
      role: 'assistant',
      content: `I look.\n\n\`\`\`bash\n${command}\n\`\`\``,
    });
    const run = {
      trajectory_format: 'mini-swe-agent-1.1',
      info: { exit_status: 'Submitted', submission: 'done' },
      messages: [
        { role: 'system', content: 'Act.' },
        { role: 'user', content: 'Fix it.' },
        reply('ls'),
        { role: 'user', content: '<output>a.py</output>' },
        reply('cat a.py'),
        { role: 'user', content: '<output>x = 1</output>' },
      ],
    };
    const { records } = await bench.one(json(run));
    expect(told(first(records)).map(([role, , calls]) => [role, calls])).toEqual([
      ['system', ''],
      ['user', ''],
      ['assistant', ''],
      ['user', ''],
      ['assistant', ''],
      ['user', ''],
    ]);
  });
});

describe('calls of SWE-agent that stand beside the text', () => {
  it('are calls, and what came back are their results', async () => {
    const step = (n: number) => ({
      action: `ls ${String(n)}`,
      observation: `out ${String(n)}`,
      response: 'I look.',
      thought: 'I look.',
      tool_calls: [call(`c${String(n)}`, 'bash', `{"command":"ls ${String(n)}"}`)],
    });
    const { records } = await bench.one(
      json({
        environment: 'main',
        trajectory: [step(1), step(2)],
        history: [{ role: 'user', content: 'Fix it.' }],
        info: { exit_status: 'submitted' },
      }),
      'run.traj',
    );
    expect(told(first(records))).toEqual([
      ['user', 'Fix it.', ''],
      ['assistant', 'I look.', 'bash {"command":"ls 1"}'],
      ['tool', 'out 1', ''],
      ['assistant', 'I look.', 'bash {"command":"ls 2"}'],
      ['tool', 'out 2', ''],
    ]);
  });
});

describe('what was said between turns', () => {
  const conversation = [
    { role: 'user', content: 'Find x.' },
    { role: 'assistant', content: 'I look.', tool_calls: [call('c1', 'find', '{"q":"x"}')] },
    { role: 'user', content: 'Never mind, find z.' },
    { role: 'tool', tool_call_id: 'c9', name: 'find', content: 'a late result' },
    { role: 'assistant', content: 'Which z?' },
  ];

  it('has a line of its own, is found, is copied, and is searched for in the library', async () => {
    const { records, ids } = await bench.one(lines([{ messages: conversation }]));
    const record = first(records);
    const rows = rowsOf(record);
    const markdown = episodeMarkdown(record, rows);

    expect(
      rows
        .filter(({ facets, subject }) => subject.type === 'item' && facets.includes('message'))
        .map(({ name, detail }) => [name, detail]),
    ).toEqual([
      ['The agent was told', 'Never mind, find z.'],
      ['The agent read', 'a late result'],
    ]);
    expect(filterRows(rows, 'messages').map(({ name }) => name)).toContain('The agent was told');
    expect(filterRows(rows, 'calls').map(({ name }) => name)).not.toContain('The agent was told');
    for (const words of ['Never mind, find z.', 'a late result']) {
      expect(findRows(rows, record, words).at).toHaveLength(1);
      expect(markdown.split(words)).toHaveLength(2);
      const events = bench.log.read(ids[0] ?? '').map(({ event }) => searchTexts(event)?.texts ?? []);
      expect(events.flat().filter((text) => textHead(text) === words)).toHaveLength(1);
    }
  });

  it('has a moment of its own when the replay plays at a steady pace', async () => {
    const { ids } = await bench.one(lines([{ messages: conversation }]));
    const events = bench.log.read(ids[0] ?? '');
    const stops: number[] = [];
    for (let n = 1; ;) {
      const next = nextFrame(events, n, { type: 'steady', perSecond: 3 });
      if (next === null) break;
      stops.push((n = next.n));
    }
    const said = events.flatMap(({ n, event }) =>
      event.kind === 'message.added' && event.turn > 0 ? [n] : [],
    );
    expect(said).toHaveLength(2);
    // Each comes after the frame that ends before it.
    for (const n of said) expect(stops).toContain(n - 1);
  });

  it('leaves a call that nothing came back for as proposed', async () => {
    const { records } = await bench.one(lines([{ messages: conversation }]));
    const labels = rowsOf(first(records)).flatMap(({ detail, outcome }) =>
      detail === 'find' ? [outcome?.label] : [],
    );
    expect(labels).toEqual(['proposed']);
  });

  it('is not made up where a call could not be read', async () => {
    const { records } = await bench.one(
      lines([
        {
          messages: [
            { role: 'user', content: 'Find x.' },
            { role: 'assistant', content: 'I look.', tool_calls: [call('c1', 'find', '{"q":')] },
            { role: 'tool', tool_call_id: 'c1', name: 'find', content: 'cannot parse args' },
          ],
        },
      ]),
    );
    const names = rowsOf(first(records)).map(({ name }) => name);
    expect(names).toContain('Unreadable call');
    expect(names).not.toContain('The agent was told that its reply was unreadable');
  });
});
