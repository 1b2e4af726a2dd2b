import { expect, it } from 'vitest';
import { checkDrafts, readAnswers } from '../../src/main/desk/scriptedAnswers.ts';

const lines = readAnswers(
  '{"ask":1,"do":"accept","task_idx":3}\n{"ask":2,"do":"send","text":"Do it."}',
  'answers.jsonl',
);

it('refuses an answers file that accepts a draft where nothing is drafted, and says what to write instead', () => {
  expect(() => checkDrafts(lines, 'human', 'answers.jsonl')).toThrow(
    expect.objectContaining({
      code: 'bad_answers_file',
      message: expect.stringContaining('accepts the draft for ask 1 of task 3') as string,
      next: expect.stringContaining('--condition human+draft') as string,
    }),
  );
});

it('takes the file where there are drafts, and where no line accepts one', () => {
  expect(() => checkDrafts(lines, 'human+draft', 'answers.jsonl')).not.toThrow();
  expect(() => checkDrafts(lines.slice(1), 'human', 'answers.jsonl')).not.toThrow();
});

it('names the key that a line must not have', () => {
  const line = '{"ask":1,"do":"send","text":"Do it.","reason":"I know it."}';
  expect(() => readAnswers(line, 'answers.jsonl')).toThrow('line 1: it must not have "reason"');
  expect(() => readAnswers('[]', 'answers.jsonl')).toThrow('it is no object');
});
