import { expect, it } from 'vitest';
import { readConfidence } from '../../src/main/agent/readConfidence.ts';
import type { ToolSpec } from '../../src/shared/events/lifecycle.ts';

const reply = (content: string, args?: string) => ({
  content,
  reasoning: null,
  toolCalls: args === undefined ? [] : [{ id: 'c1', name: 'find', arguments: args }],
  model: null,
  stopReason: null,
  usage: null,
});

it.each([
  ['a tag', 'I look.\n<confidence>0.8</confidence>', 0.8, 'I look.', []],
  ['a tag in other case, in percent', '<Confidence> 80% </Confidence>Go', 0.8, 'Go', ['confidence_percent']],
  ['a number out of a hundred', '<confidence>80</confidence>', 0.8, '', ['confidence_percent']],
  ['a decimal comma', '<confidence>0,25</confidence>', 0.25, '', []],
  ['a tag that is not closed', 'Go <confidence>0.4', 0.4, 'Go', ['confidence_unclosed']],
  ['the last of several', '<confidence>0.1</confidence> no: <confidence>0.9</confidence>', 0.9, 'no:', []],
  ['JSON of its own', 'Go {"confidence": "0.3"}', 0.3, 'Go', ['confidence_json']],
  [
    'a field beside others',
    '{"name": "find", "confidence": 0.5}',
    0.5,
    '{"name": "find"}',
    ['confidence_json'],
  ],
  [
    'a line of words',
    'Done.\n**Confidence:** 90 %',
    0.9,
    'Done.',
    ['confidence_words', 'confidence_percent'],
  ],
  ['a number out of range', '<confidence>250</confidence>Go', null, 'Go', ['confidence_out_of_range']],
  ['nothing', 'I am confident: it is 0.8.', null, 'I am confident: it is 0.8.', []],
])('reads %s, and takes it out of the reply', (_form, content, confidence, left, repairs) => {
  const read = readConfidence(reply(content), []);

  expect([read.confidence, read.reply.content, read.repairs]).toEqual([confidence, left, repairs]);
});

it('reads an argument that the tool does not take, and leaves one that it takes', () => {
  const args = '{"id":12345678901234567890,"confidence":0.7}';
  const taking: ToolSpec = {
    name: 'find',
    description: '',
    input_schema: { properties: { confidence: {} } },
  };

  const read = readConfidence(reply('', args), []);
  expect([read.confidence, read.reply.toolCalls[0]?.arguments]).toEqual([0.7, '{"id":12345678901234567890}']);
  expect(readConfidence(reply('', args), [taking])).toMatchObject({ confidence: null, repairs: [] });
});
