import { expect, it } from 'vitest';
import { expertStems, speaksOfExpert, withoutAskTool } from '../../../src/main/dataset/export/transcript.ts';

const DECLARED =
  '{"type": "function", "function": {"name": "ask_expert", "parameters": {"properties": {"task": {}}}}}';
const FIND = '{"type": "function", "function": {"name": "find_order", "parameters": {}}}';

it.each([
  [
    'a point of its own',
    'How you work:\n- Look first.\n- Use `ask_expert` when stuck. Asks are few.',
    'How you work:\n- Look first.',
  ],
  [
    'a sentence among others',
    'Work alone. Ask the expert when you are stuck. Then answer.',
    'Work alone. Then answer.',
  ],
  ['a budget', 'You have 15 turns.\nExpert calls left: 3.', 'You have 15 turns.'],
  ['a tool in a list', `Tools: [${FIND}, ${DECLARED}]`, `Tools: [${FIND}]`],
  ['a tool that comes first', `[${DECLARED}, ${FIND}]`, `[${FIND}]`],
  ['a tool on a line of its own', `${FIND}\n${DECLARED}`, FIND],
  [
    'an example with its answer',
    'For example:\n<tool_call>\n{"name": "ask_expert", "arguments": {}}\n</tool_call>\n<tool_response>\nDo this.\n</tool_response>\nNow go.',
    'For example:\n\nNow go.',
  ],
])('takes %s out of a prompt', (_name, prompt, rest) => {
  expect(withoutAskTool(prompt, true)).toBe(rest);
});

it('leaves a prompt alone that only says how good the agent is, and a world that is about experts', () => {
  const prompt = 'You are an expert in logistics. Assign each case to a reviewer.';
  const result = '{"experts": ["Ada"], "note": "Ask the expert for her rate."}';

  expect(withoutAskTool(prompt, true)).toBe(prompt);
  expect(withoutAskTool(result, false)).toBe(result);
});

it('takes a reminder out of a result and leaves the result', () => {
  const result =
    '{"error": "no such order"}\n\nThat call failed. You can ask the expert with `ask_expert` now.';

  expect(withoutAskTool(result, false).trim()).toBe('{"error": "no such order"}\n\nThat call failed.');
});

it.each([
  'I made 3 calls, 3 of them failed, and I have no advice to go by.',
  'I followed the advice, but 1 of 2 calls failed.',
  'The advice named no call that I can carry out.',
  'Done as advised: 14 is paused.',
  'I asked the expert, who was not there.',
  'I paused it without help, since I asked for help and nobody came.',
  'I will do it without asking the expert.',
])('takes for words about the expert, whoever is known to have helped: %s', (words) => {
  expect(speaksOfExpert(words, true)).toBe(true);
  expect(speaksOfExpert(words, false)).toBe(true);
});

it('takes any word about advice for the expert’s where somebody helped, and only where the world has no such word', () => {
  const words = 'Sent: the guidance of our advisers is on its way.';

  expect(speaksOfExpert(words, true)).toBe(true);
  expect(speaksOfExpert(words, true, expertStems('{"tool": "send_guidance", "to": "advisor"}'))).toBe(false);
  expect(speaksOfExpert(words, false)).toBe(false);
});

it.each([
  'My advice: change the password.',
  'This is no legal advice; if you need advice, see a lawyer. I advise you to.',
  'As an expert in logistics I checked the route. Let me know if you need help.',
  'I asked the warehouse for its stock. Please be advised that order 7 is late.',
])('leaves alone what an agent says that nobody helped: %s', (words) => {
  expect(speaksOfExpert(words, false)).toBe(false);
});

it('leaves alone what an agent says of the experts of its world where nobody helped it', () => {
  const words = 'The expert is Ada; I asked the expert for her rate.';

  expect(speaksOfExpert(words, false)).toBe(true);
  expect(speaksOfExpert(words, false, expertStems('{"experts": ["Ada"]}'))).toBe(false);
  expect(speaksOfExpert(words, true, expertStems('{"experts": ["Ada"]}'))).toBe(true);
});
