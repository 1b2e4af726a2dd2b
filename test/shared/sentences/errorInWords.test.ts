import { expect, it } from 'vitest';
import { errorInWords } from '../../../src/shared/sentences/errorInWords.ts';

const called = (status: number, response: string): string =>
  `Error calling set_workflow_status. Status code: ${String(status)}. Response: ${response}`;
const wrong = (...problems: Record<string, unknown>[]): string =>
  called(422, JSON.stringify({ detail: problems }));
const at = (name: string | number) => ['body', ...(typeof name === 'number' ? ['bill_ids', name] : [name])];

it.each([
  [
    wrong({
      type: 'int_parsing',
      loc: at('workflow_id'),
      msg: 'Input should be a valid integer',
      input: 'Invoice archive sync',
    }),
    'workflow id must be a whole number; it was "Invoice archive sync".',
  ],
  [
    wrong({
      type: 'string_pattern_mismatch',
      loc: at('due_date'),
      msg: 'Input should match ^\\d{4}-\\d{2}-\\d{2}$',
      input: '31 March',
    }),
    'due date must be a date such as 2026-06-30; it was "31 March".',
  ],
  [
    wrong({
      type: 'string_pattern_mismatch',
      loc: at('code'),
      msg: "String should match pattern '^[xyz]+$'",
      input: 'a',
      ctx: { pattern: '^[xyz]+$' },
    }),
    'code is not written in the form the tool asks for; it was "a".',
  ],
  [wrong({ type: 'missing', loc: at('status'), msg: 'Field required', input: {} }), 'status is missing.'],
  [
    wrong({
      type: 'literal_error',
      loc: at('status'),
      msg: 'Input should be one of draft, active',
      input: 'off',
    }),
    'status must be one of draft, active; it was "off".',
  ],
  [
    wrong({
      type: 'literal_error',
      loc: at('status'),
      msg: 'x',
      input: 1,
      ctx: { expected: "'a' or 'b'" },
    }),
    "status must be 'a' or 'b'; it was 1.",
  ],
  [
    wrong({ type: 'greater_than_equal', loc: at('limit'), msg: 'x', input: 0, ctx: { ge: 1 } }),
    'limit must be at least 1; it was 0.',
  ],
  [
    wrong({ type: 'int_type', loc: at(1), msg: 'x', input: null }),
    'bill ids number 2 must be a whole number; it was nothing.',
  ],
  [
    wrong({
      type: 'value_error',
      loc: at('day'),
      msg: 'Value error, it is a holiday',
      input: '2026-01-01',
    }),
    'day is wrong: it is a holiday; it was "2026-01-01".',
  ],
  [
    wrong({ type: 'extra_forbidden', loc: at('q'), msg: 'Extra inputs are not permitted', input: 1 }),
    'there is no argument called q.',
  ],
  [
    wrong({ type: 'missing', loc: at('a'), msg: '' }, { type: 'missing', loc: at('b'), msg: '' }),
    'a is missing. One more argument is wrong.',
  ],
  [
    wrong(
      { type: 'int_parsing', loc: at('a'), msg: '', input: 'x' },
      { type: 'missing', loc: at('b'), msg: 'Field required' },
    ).slice(0, -20),
    'a must be a whole number; it was "x".',
  ],
  [called(404, '{"detail":"Workflow 1 not found"}'), 'Workflow 1 was not found.'],
  [
    called(409, '{"detail":"Step \'Mail\' uses connection \'Post\', which is expired"}'),
    "Step 'Mail' uses connection 'Post', which is expired.",
  ],
  [called(500, 'Internal Server Error'), 'The environment failed on its own side.'],
  [called(404, ''), 'It was not found.'],
  [called(403, '{}'), 'It is not allowed.'],
  ['{"error":{"code":-32602,"message":"Unknown tool: nope"}}', 'Unknown tool: nope.'],
  ['MCP error -32602: Unknown tool: nope', 'Unknown tool: nope.'],
  ['{"isError":true,"content":[{"type":"text","text":"Error executing tool add: b is zero"}]}', 'b is zero.'],
  [
    'Traceback (most recent call last):\n  File "x.py", line 3, in go\n    boom()\nValueError: the board is full',
    'the board is full.',
  ],
  ['Tool nope not found. Available tools: a, b', 'Tool nope was not found.'],
  ['The move e2e5 is not legal. Legal moves: e2e4.', 'The move e2e5 is not legal.'],
  ['KeyError', 'The environment refused the call without saying why.'],
  ['', 'The environment refused the call without saying why.'],
  ['timeout', 'timeout.'],
  ["Client error '404 Not Found' for url 'http://x/y'", 'It was not found.'],
])('an error in words of %j', (raw, sentence) => {
  expect(errorInWords(raw)).toEqual({ sentence, raw });
});
