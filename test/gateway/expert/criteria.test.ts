import { describe, expect, it } from 'vitest';
import { clientBrief } from '../../../src/main/advisor/clientBrief.ts';
import { coverRequest, criteriaIn, isAnalysis } from '../../../src/main/gateway/expert/coverRequest.ts';
import { taskIn } from '../../../src/main/gateway/expert/door.ts';

const SECRET = 'the total is 42';
const hidden = (text: string, known: string[] = []): string =>
  criteriaIn(text, known)
    .map(({ start, end }) => text.slice(start, end))
    .join('');
const visible = (text: string): string => {
  let shown = text;
  for (const { start, end } of criteriaIn(text).toReversed())
    shown = shown.slice(0, start) + shown.slice(end);
  return shown;
};

const CODE = `import sqlite3
import re

def verify_task_completion(initial_db_path: str, final_db_path: str, final_answer: str | None = None) -> dict:
    """Checks that ${SECRET}.

TASK: this line of the docstring is not a task
"""
    db = sqlite3.connect(final_db_path)

    # a comment
    return {"result": "complete"}
`;

describe('criteria in words', () => {
  it.each([
    [
      'a shouted heading',
      `TASK: Do it.\n\nSUCCESS CRITERIA (what the checker requires):\n${SECRET}\n\nAGENT CONTEXT: stuck`,
    ],
    ['a Markdown heading', `# Task\nDo it\n\n## Success criteria\n- ${SECRET}\n\n## Agent context\nstuck`],
    ['a bold heading', `Do it\n\n**Acceptance criteria:**\n1. ${SECRET}\n\n**Question:** stuck`],
    ['a tag', `Do it\n<success_criteria>\n${SECRET}\n</success_criteria>\nstuck`],
    ['a field of JSON in the text', `{"task": "Do it", "success_criteria": "${SECRET}", "context": "stuck"}`],
    ['a list in JSON', `Do it {"rubric": ["a ] b", {"c": "${SECRET}"}], "context": "stuck"}`],
    ['an answer key', `Do it\n\nAnswer key:\n${SECRET}\n\nThe agent tried and is stuck`],
    ['what the verifier checks', `Do it\n\nWhat the verifier checks:\n${SECRET}\n\nQuestion: stuck`],
    ['a rubric', `Do it\n\nRubric:\n${SECRET}\n\nCurrent state: stuck`],
    ['code', `Do it\n\n${CODE}\nTASK: stuck`],
    ['fenced code', `Do it\n\n\`\`\`python\n${CODE}\`\`\`\nstuck`],
  ])('are found under %s, and what stands around them is left', (_, text) => {
    expect(hidden(text)).toContain(SECRET);
    expect(visible(text)).not.toContain(SECRET);
    expect(visible(text)).toMatch(/stuck/);
    expect(visible(text)).toMatch(/Do it/i);
  });

  it('are found in code behind a blank first line', () => {
    const code = '\ndef verify():\n  return 1';
    expect(criteriaIn(code)).toEqual([{ start: 0, end: code.length }]);
  });

  it('are covered to the end when nothing says where they end', () => {
    expect(visible(`Do it\n\nSUCCESS CRITERIA:\nTABLES: a\n\nROWS: b\n\n${SECRET}`)).toBe(
      'Do it\n\nSUCCESS CRITERIA:',
    );
  });

  it('are known again by their words, wherever they stand', () => {
    const told = `1. ${SECRET}\n\nAGENT CONTEXT: none of it`;

    expect(hidden(`Remember: ${told}. What now?`, [told])).toBe(told);
    expect(hidden(`SUCCESS CRITERIA:\n${told}\n\nWhat now?`, [told])).not.toContain('What now?');
  });

  it.each([
    'Rename the second workflow. Which one is it?',
    'I verified the total and it failed.',
    'The function verify() does not exist, what now?',
    'My success depends on your criteria.',
  ])('are not seen where there are none: %s', (text) => {
    expect(hidden(text)).toBe('');
  });

  it.each([
    ['spaces', ' '.repeat(400_000)],
    ['line breaks', '\n'.repeat(400_000)],
    ['headings', 'Rubric:\n'.repeat(50_000)],
    ['open tags', '<rubric'.repeat(50_000)],
    ['open fields', '"rubric": ['.repeat(30_000)],
    ['verifiers', 'def verify(a):\n    pass\n'.repeat(20_000)],
    ['imports', `${'import a\n'.repeat(50_000)}def verify(a):\n    pass`],
  ])('are looked for to the end among many %s', (_, text) => {
    expect(() => criteriaIn(text, ['x'.repeat(100)])).not.toThrow();
  });
});

describe('a covered request', () => {
  const body = {
    model: 'm',
    messages: [
      {
        role: 'user',
        content: `A "quoted"\nline\n\nSUCCESS CRITERIA:\n"${SECRET}" \\ 🙂\n\nAGENT CONTEXT: stuck`,
      },
      { role: 'user', content: [{ type: 'text', text: CODE }] },
    ],
    success_criteria: SECRET,
  };

  it('shows marks where the criteria were, and can be put together again for the advisor', () => {
    const { request, covered } = coverRequest(body, []);

    expect(request).not.toContain(SECRET);
    expect(covered).toHaveLength(3);
    for (const { start, end } of covered) expect(request.slice(start, end)).toMatch(/^⟦covered .+⟧$/);
    const brief = clientBrief({ request, covered, purpose: 'advice' }, (text) => text as string);
    expect(brief?.messages.map(({ content }) => content)).toEqual([body.messages[0]?.content, CODE]);
  });

  it('is not misled by marks that a client writes', () => {
    const { request, covered } = coverRequest({ messages: [], a: '⟦covered 1: x⟧', rubric: SECRET }, []);

    expect(covered).toHaveLength(1);
    expect(request.slice(covered[0]?.start, covered[0]?.end)).toContain(String(SECRET.length));
    expect(request).toContain('⟦covered 1: x⟧');
  });
});

describe('a verifier to be distilled', () => {
  const ask = (text: string, role = 'user') => [{ role, text }];

  it('is told from a request for advice by its structure', () => {
    const analysis = `Read this function and summarise what must hold.\n\nCODE:\n${CODE}\nTASK: x\n\nA short list.`;

    expect(isAnalysis(ask(analysis), [])).toBe(true);
    expect(isAnalysis([{ role: 'system', text: 'You read code.' }, ...ask(analysis)], [])).toBe(true);
    expect(isAnalysis(ask(analysis), ['rename'])).toBe(false);
    expect(isAnalysis([...ask(analysis), { role: 'assistant', text: 'ok' }], [])).toBe(false);
    expect(isAnalysis(ask(`AGENT CONTEXT: stuck.\nRequirements:\n${CODE}`), [])).toBe(false);
    expect(isAnalysis(ask('Summarise the criteria.'), [])).toBe(false);
  });
});

it('the task of a request is what the request calls so, else the first words', () => {
  expect(taskIn([{ role: 'user', text: 'TASK: Rename it.\nBoth of them.\n\nTOOLS: x' }])).toBe(
    'Rename it.\nBoth of them.',
  );
  expect(taskIn([{ role: 'user', text: '## Task\nRename it.\n\nmore' }])).toBe('## Task\nRename it.\n\nmore');
  expect(
    taskIn([
      { role: 'system', text: 'TASK: no' },
      { role: 'user', text: 'Hello' },
    ]),
  ).toBe('Hello');
  expect(taskIn([{ role: 'system', text: 'x' }])).toBeNull();
});
