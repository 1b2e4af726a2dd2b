import { describe, expect, it } from 'vitest';
import {
  proseIn,
  sheetOf,
  withAdded,
  withArgument,
  withBetween,
  withMoved,
  withoutStep,
  withPurpose,
  withRepeated,
  withTool,
} from '../../../../src/renderer/parts/plan/planText.ts';
import { locatePlan, parsePlan } from '../../../../src/shared/plan.ts';
import { seededRandom } from '../../../../src/shared/statistics/random.ts';

const JSON_PLAN = `Do this:

\`\`\`json
{"plan":[{"tool_name":"find","arguments":{"q":"a"},"why":"kept"},{"tool":"rename","args":{"id":1},"purpose":"so"}],"tips":"slowly"}
\`\`\`
Then stop.`;
const LINES = 'First find({"q":"a"}) and look.\n- rename({"id":1})\nThen stop.';

const planOf = (text: string): unknown => {
  const place = locatePlan(text);
  return place.form === 'json' ? place.value : null;
};

describe('a plan as steps', () => {
  it('has the calls that are read from the text, and the words around and between them', () => {
    for (const text of [JSON_PLAN, LINES, 'only words', '[{"tool":"a"}]', '{"plan":[]}']) {
      const sheet = sheetOf(text);
      expect(sheet.steps.map(({ tool, args }) => ({ tool, args }))).toEqual(
        parsePlan(text).calls.map(({ tool, args }) => ({ tool, args })),
      );
      expect(sheet.form).toBe(parsePlan(text).form);
    }
    expect(sheetOf(JSON_PLAN)).toMatchObject({ before: 'Do this:\n\n```json\n', after: '\n```\nThen stop.' });
    expect(sheetOf(LINES).between).toEqual([' and look.\n- ']);
  });

  it('shows the words around it without fences and marks of lists', () => {
    expect(proseIn('Do this:\n\n```json\n')).toEqual({ lead: '', prose: 'Do this:', trail: '\n\n```json\n' });
    expect(proseIn('\n```\nThen stop.')).toEqual({ lead: '\n```\n', prose: 'Then stop.', trail: '' });
    expect(proseIn(' and look.\n- ')).toEqual({ lead: ' ', prose: 'and look.', trail: '\n- ' });
    expect(proseIn('\n2. ').prose).toBe('');
    for (const words of ['a\nb\n', '', '```json\n', 'x ``` y', '\n\n']) {
      const { lead, prose, trail } = proseIn(words);
      expect(lead + prose + trail).toBe(words);
    }
  });

  it('keeps integers that a number cannot hold, in what is changed beside them too', () => {
    const text = '{"plan":[{"tool":"a","args":{"id":12345678901234567890, "n":1}}]}';
    expect(withArgument(text, 0, 'n', 2)).toBe(text.replace('"n":1', '"n":2'));
    expect(String(sheetOf(text).steps[0]?.args['id'])).toBe('12345678901234567890');
  });

  it('lays out what is put in as the text around it', () => {
    const text = withAdded(withArgument(withAdded('', 'one'), 0, 'list', [1]), 'two');
    const laidOut = JSON.stringify(
      {
        plan: [
          { tool: 'one', args: 0 },
          { tool: 'two', args: {} },
        ],
      },
      null,
      2,
    );
    expect(text).toBe(laidOut.replace('0', '{"list": [1]}'));
    expect(withAdded('{"plan":[{"tool":"a"}]}', 'b')).toBe('{"plan":[{"tool":"a"}, {"tool":"b","args":{}}]}');
  });

  it('changes one call between plain words and nothing else', () => {
    expect(withArgument(LINES, 1, 'id', 2)).toBe(LINES.replace('1', '2'));
    expect(withArgument('first look()', 0, 'id', 2)).toBe('first look({"id":2})');
    expect(withMoved(LINES, 0, 1)).toBe('First rename({"id":1}) and look.\n- find({"q":"a"})\nThen stop.');
    expect(withMoved(LINES, 0, -1)).toBe(LINES);
    expect(withBetween(LINES, 0, ', wait\n- ')).toBe(LINES.replace(' and look.', ', wait'));
    expect(sheetOf(withBetween(LINES, 0, '')).steps).toHaveLength(2);
  });

  it('puts a step there twice as it is written, the copy right after it', () => {
    const json = '{"plan":[{"tool":"a","args":{"id":12345678901234567890}}, {"tool":"b"}],"note":"kept"}';
    expect(withRepeated(json, 0)).toBe(
      json.replace('}}, ', '}}, {"tool":"a","args":{"id":12345678901234567890}}, '),
    );
    expect(sheetOf(withRepeated(json, 1)).steps.map(({ tool }) => tool)).toEqual(['a', 'b', 'b']);
    expect(withRepeated(json, 2)).toBe(json);
    expect(withRepeated('a({"x":1})\nb({})', 0)).toBe('a({"x":1})\na({"x":1})\nb({})');
    expect(withRepeated('only words', 0)).toBe('only words');
  });

  it('takes a call out, its empty line too, and puts one in', () => {
    expect(withoutStep('a({})\nb({})\nc', 1)).toBe('a({})\nc');
    expect(withoutStep('a({})\nb({})', 0)).toBe('b({})');
    expect(withoutStep(LINES, 1)).toBe('First find({"q":"a"}) and look.\nThen stop.');
    expect(sheetOf(withAdded(LINES, 'verify_it')).steps.map(({ tool }) => tool)).toEqual([
      'find',
      'rename',
      'verify_it',
    ]);
    expect(sheetOf(withAdded('Only words.', 'find'))).toMatchObject({
      form: 'json',
      before: 'Only words.\n\n',
      steps: [{ tool: 'find', args: {} }],
    });
    expect(sheetOf(withoutStep('{"plan":[{"tool":"a"}]}', 0))).toMatchObject({ form: 'json', steps: [] });
  });
});

// The same change made twice: in the text, and in the value that JSON.parse gives of it.
type Step = { tool: string; args: Record<string, unknown>; purpose?: string };
type Change = { text: (text: string) => string; value: (steps: Step[]) => Step[] };

const VALUES: readonly unknown[] = [
  1,
  -2.5,
  'a "b" {c}',
  '',
  'x\ny',
  true,
  null,
  [1, { a: [] }],
  { a: { b: ',' } },
  {},
  [],
  '[1,2',
];

function changeOf(draw: (below: number) => number, count: number): Change {
  const at = draw(count);
  const key = ['a', 'b c', 'd"'][draw(3)] ?? 'a';
  const value = VALUES[draw(VALUES.length)];
  const each = (change: (step: Step) => Step) => (steps: Step[]) =>
    steps.map((step, index) => (index === at ? change(step) : step));
  const changes: Change[] = [
    {
      text: (text) => withArgument(text, at, key, value),
      value: each((step) => ({ ...step, args: { ...step.args, [key]: value } })),
    },
    {
      text: (text) => withArgument(text, at, key, undefined),
      value: each(({ args: { [key]: _out, ...args }, ...step }) => ({ ...step, args })),
    },
    { text: (text) => withTool(text, at, 'other'), value: each((step) => ({ ...step, tool: 'other' })) },
    { text: (text) => withPurpose(text, at, 'so'), value: each((step) => ({ ...step, purpose: 'so' })) },
    { text: (text) => withPurpose(text, at, null), value: each(({ purpose: _out, ...step }) => step) },
    { text: (text) => withoutStep(text, at), value: (steps) => steps.filter((_step, index) => index !== at) },
    { text: (text) => withAdded(text, 'new'), value: (steps) => [...steps, { tool: 'new', args: {} }] },
    {
      text: (text) => withMoved(text, at, count - 1),
      value: (steps) => [...steps.slice(0, at), ...steps.slice(at + 1), ...steps.slice(at, at + 1)],
    },
  ];
  return changes[draw(changes.length)] ?? { text: (text) => text, value: (steps) => steps };
}

it('a change made in the steps is the change made in the parsed plan, and leaves every other byte as it was', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = seededRandom(seed);
    const draw = (below: number): number => Math.floor(random() * below);
    const steps = Array.from({ length: 1 + draw(4) }, (_, index): Step => ({
      tool: `tool_${String(index)}`,
      args: Object.fromEntries(
        ['a', 'b c', 'z'].slice(0, draw(4)).map((key) => [key, VALUES[draw(VALUES.length)]]),
      ),
      ...(draw(2) === 0 ? {} : { purpose: 'because {of} "it"' }),
    }));
    const plan = JSON.stringify({ plan: steps, tips: 'slowly' }, null, draw(3));
    const [before, after] = draw(2) === 0 ? ['', ''] : ['Words first.\n\n', '\n\nWords last.'];
    let text = before + plan + after;
    let expected = steps;
    for (let turn = 0; turn < 6 && expected.length > 0; turn += 1) {
      const change = changeOf(draw, expected.length);
      text = change.text(text);
      expected = change.value(expected);
      expect(planOf(text), `seed ${String(seed)}: ${text}`).toEqual({ plan: expected, tips: 'slowly' });
      expect(text.startsWith(before) && text.endsWith(after)).toBe(true);
    }
  }
});
