import { describe, expect, it } from 'vitest';
import {
  sheetOf,
  withAdded,
  withAround,
  withMoved,
  withoutRow,
  withRow,
} from '../../../src/renderer/parts/advice/planRows.ts';
import { snippetBefore } from '../../../src/renderer/parts/advice/snippetInput.ts';
import { locatePlan, parsePlan } from '../../../src/shared/plan.ts';

const JSON_PLAN = `Do this:

\`\`\`json
{"plan":[{"tool_name":"find","arguments":{"q":"a"},"why":"kept"},{"tool":"rename","args":{"id":1},"purpose":"so"}],"tips":"slowly"}
\`\`\`
Then stop.`;
const LINES = 'First find({"q":"a"}) and look.\n- rename({"id":1})\nThen stop.';

describe('a plan as rows', () => {
  it('has the calls that are read from the text, and the words around them', () => {
    for (const text of [JSON_PLAN, LINES, 'only words', '[{"tool":"a"}]', '{"plan":[]}']) {
      const sheet = sheetOf(text);
      expect(sheet.rows.map(({ tool, args }) => ({ tool, args }))).toEqual(
        parsePlan(text).calls.map(({ tool, args }) => ({ tool, args })),
      );
      expect(sheet.form).toBe(parsePlan(text).form);
    }
    expect(sheetOf(JSON_PLAN).before).toBe('Do this:\n\n```json\n');
    expect(sheetOf(JSON_PLAN).after).toBe('\n```\nThen stop.');
  });

  it('keeps what rows do not show when a row is changed', () => {
    const changed = withRow(JSON_PLAN, 0, { tool: 'search', args: { q: 'b' } });
    const place = locatePlan(changed);

    expect(place.form === 'json' ? place.value : null).toEqual({
      plan: [
        { tool_name: 'search', arguments: { q: 'b' }, why: 'kept' },
        { tool: 'rename', args: { id: 1 }, purpose: 'so' },
      ],
      tips: 'slowly',
    });
    expect(changed.startsWith('Do this:\n\n```json\n')).toBe(true);
    expect(changed.endsWith('\n```\nThen stop.')).toBe(true);
  });

  it('changes one call between plain words and nothing else', () => {
    expect(withRow(LINES, 1, { args: { id: 2 } })).toBe(
      'First find({"q":"a"}) and look.\n- rename({"id":2})\nThen stop.',
    );
    expect(withMoved(LINES, 0, 1)).toBe('First rename({"id":1}) and look.\n- find({"q":"a"})\nThen stop.');
    expect(withMoved(LINES, 0, -1)).toBe(LINES);
  });

  it('takes a call out, its empty line too, and puts one in', () => {
    expect(withoutRow('a({})\nb({})\nc', 1)).toBe('a({})\nc');
    expect(sheetOf(withoutRow(JSON_PLAN, 0)).rows).toHaveLength(1);
    expect(sheetOf(withAdded(LINES, 'verify_it')).rows.map(({ tool }) => tool)).toEqual([
      'find',
      'rename',
      'verify_it',
    ]);
    expect(sheetOf(withAdded('Only words.', 'find'))).toMatchObject({
      form: 'json',
      before: 'Only words.\n\n',
      rows: [{ tool: 'find', args: {} }],
    });
    expect(sheetOf(withAdded('', 'find')).rows).toHaveLength(1);
  });

  it('lets the words around it be changed alone', () => {
    const changed = withAround(LINES, { before: 'Now ', after: '!' });
    expect(changed).toBe('Now find({"q":"a"}) and look.\n- rename({"id":1})!');
  });

  it('takes a purpose back out when it is emptied', () => {
    expect(sheetOf(withRow(JSON_PLAN, 1, { purpose: null })).rows[1]?.purpose).toBeNull();
  });
});

describe('a snippet', () => {
  it('is named by what stands after a semicolon at the end of the line so far', () => {
    expect(snippetBefore('Mind ;look')).toBe('look');
    expect(snippetBefore(';a-b_1')).toBe('a-b_1');
    expect(snippetBefore('x;look')).toBeNull();
    expect(snippetBefore('; look')).toBeNull();
  });
});
