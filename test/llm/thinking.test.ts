import { expect, it } from 'vitest';
import { withoutThinking } from '../../src/main/llm/thinking.ts';

it.each([
  ['nothing but words', 'Done.', 'Done.', false, false],
  ['words after thinking', '<think>Hm.</think>\nDone.', 'Done.', true, false],
  ['words around thinking', 'First. <think>Hm.</think>Then.', 'First. Then.', true, false],
  ['words after thinking the template opened', 'Hm.</think>Done.', 'Done.', true, false],
  ['words after thinking that is opened twice', '<think>a<think>b</think>Done.', 'Done.', true, false],
  ['nothing after thinking without end', 'First. <THINK>Hm.', 'First.', true, true],
  ['nothing', '<think></think>', '', true, false],
  ['words with another tag', 'a <thinker> b', 'a <thinker> b', false, false],
  ['words after thinking about tags', '<thinking>the <think> tag</thinking>Done.', 'Done.', true, false],
])('what a reply says is %s', (_, content, text, hadThinking, isUnclosed) => {
  expect(withoutThinking(content)).toEqual({ text, hadThinking, isUnclosed });
});
