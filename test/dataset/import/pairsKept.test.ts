import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileReport } from '../../../src/shared/contract/import.ts';
import { makeRows } from '../../support/exporting.ts';
import { call, codes, createBench, lines, type Bench } from './support.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.close());

const paths = ({ conservation }: FileReport): string[] =>
  (conservation?.not_read ?? []).map(({ path }) => path);
const user = (content: string) => ({ role: 'user', content });
const reply = (content: string, more: object = {}) => ({ role: 'assistant', content, ...more });
const LONG = 'Name the sum of two and two, and say in one word how sure you are of it.';

const PAIRS: Record<string, object> = {
  'short texts': { prompt: '2+2?', chosen: 'It is four.', rejected: 'It is five.' },
  'texts of one letter': { prompt: 'A or B?', chosen: 'A', rejected: 'B' },
  'a long prompt and short sides': { prompt: LONG, chosen: 'Four.', rejected: 'Five.' },
  'a long prompt and a long and a short side': {
    prompt: LONG,
    chosen: LONG.toUpperCase(),
    rejected: 'Five.',
  },
  'one message a side': {
    conversations: [{ from: 'human', value: '2+2?' }],
    chosen: { from: 'gpt', value: 'It is four.' },
    rejected: { from: 'gpt', value: 'It is five.' },
  },
  'lists of messages': {
    prompt: [user('2+2?')],
    chosen: [reply('It is four.')],
    rejected: [reply('It is five.')],
  },
  'a conversation that ends in the chosen side': {
    messages: [user('2+2?'), reply('Four.')],
    chosen: 'Four.',
    rejected: 'Five.',
  },
  'a prompt that ends in the chosen side': {
    prompt: [user('2+2?'), reply('Four.')],
    chosen: [reply('Four.')],
    rejected: [reply('Five.')],
  },
  'LLaMA-Factory’s names': { instruction: '2+2?', input: 'In words.', chosen: 'Four.', rejected: 'Five.' },
  'a question': { question: '2+2?', chosen: 'Four.', rejected: 'Five.' },
  'ms-swift’s names': { messages: [user('2+2?')], response: 'Four.', rejected_response: 'Five.' },
  'ms-swift’s conversation': { messages: [user('2+2?'), reply('Four.')], rejected_response: 'Five.' },
  'a query': { query: '2+2?', response: 'Four.', rejected_response: 'Five.' },
  'sides of several replies': {
    prompt: [user('2+2?')],
    chosen: [reply('Four.'), user('And 3+3?'), reply('Six.')],
    rejected: [reply('Five.'), user('And 3+3?'), reply('Seven.')],
  },
  'other names of the sides': {
    input: { messages: [user('2+2?')] },
    preferred_output: [reply('Four.')],
    non_preferred_output: [reply('Five.')],
  },
};

describe('a preference pair, both sides of which are read', () => {
  it.each(Object.entries(PAIRS))('is kept whole however short its words: %s', async (_, row) => {
    const { report } = await bench.one(lines(row));

    expect(report.failure).toBeNull();
    expect(report.conservation).toMatchObject({ not_read: [], further: 0 });
    expect(report.conservation?.kept).toBe(report.conservation?.characters);
    expect(codes(report)).toEqual([]);
  });

  it.each(Object.entries(PAIRS))('is a row with its prompt and both sides whole: %s', async (name, row) => {
    await bench.one(lines(row));

    const { rows } = await makeRows(bench.log, 'preference', { verdict: 'any' });

    const lengths = rows.map((one) =>
      ['prompt', 'chosen', 'rejected'].map((part) => (one[part] as unknown[]).length),
    );
    expect(lengths).toEqual([name.includes('several') ? [1, 3, 3] : [1, 1, 1]]);
  });

  it('has its prompt where that says as little as the call that answers it', async () => {
    const called = reply('', { tool_calls: [call('a', 'weigh', '{}')] });
    await bench.one(lines({ prompt: [user('')], chosen: [called], rejected: [reply('Five.')] }));

    const { rows } = await makeRows(bench.log, 'preference', { verdict: 'any' });

    expect(rows).toMatchObject([{ prompt: [user('')], chosen: [{ role: 'assistant' }] }]);
  });

  it('is not said to be kept whole where nobody knows what it answers', async () => {
    const { report } = await bench.one(lines({ riddle: LONG, chosen: 'Four.', rejected: 'Five.' }));

    expect(paths(report)).toEqual(['riddle']);
    expect(codes(report)).toContain('no_prompt');
  });

  it('still has its labels and numbers named, where one is spelled like a message', async () => {
    const row = {
      prompt: [user('Is it so?')],
      chosen: [reply('yes', { label: 'yes', verdict: { value: 'yes' } })],
      rejected: [reply('no', { score: 7 })],
    };
    const { report } = await bench.one(lines(row));

    expect(paths(report).toSorted()).toEqual([
      'chosen.*.label',
      'chosen.*.verdict.value',
      'rejected.*.score',
    ]);
    expect(codes(report)).toEqual(['not_all_read']);
  });

  it('is named where a part of a side is in neither episode', async () => {
    const row = { prompt: '2+2?', chosen: [reply('Four.', { aside: 'Says who?' })], rejected: 'Five.' };
    const { report } = await bench.one(lines(row));

    expect(paths(report)).toEqual(['chosen.*.aside']);
    expect(codes(report)).toEqual(['not_all_read']);
  });
});

describe('a label outside a pair', () => {
  it('is not kept by a message of the same word', async () => {
    const { report } = await bench.one(
      lines({ messages: [user('Is it so?'), reply('yes', { chosen: 'yes', label: 'yes' })] }),
    );

    expect(paths(report).toSorted()).toEqual(['messages.*.chosen', 'messages.*.label']);
  });
});

describe('a short part of a message', () => {
  it.each(['refusal', 'output_text', 'input_text'])('is kept where it stands under %s', async (key) => {
    const { report } = await bench.one(
      lines({
        messages: [user('Tell me.'), { role: 'assistant', content: [{ type: 'text', [key]: 'No.' }] }],
      }),
    );

    expect(report.conservation).toMatchObject({ not_read: [] });
  });
});
