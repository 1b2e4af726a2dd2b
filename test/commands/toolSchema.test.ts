import { describe, expect, it } from 'vitest';
import { checkCall } from '../../src/main/commands/stepInChecks.ts';
import { parseJson } from '../../src/shared/json.ts';

const tool = (schema: string) => [
  { name: 'pay', description: '', input_schema: parseJson(schema) as Record<string, never> },
];
const INT64 =
  '{"type":"object","properties":{"cents":{"type":"integer","minimum":0,"maximum":9223372036854775807}}}';
const args = (text: string): object => parseJson(text) as object;

describe('checking a call before it is sent', () => {
  it('takes an integer beyond 2^53 as a whole number, within bounds that lie beyond it too', () => {
    expect(() => checkCall(tool(INT64), 'pay', args('{"cents":9007199254740993}'))).not.toThrow();
    expect(() => checkCall(tool(INT64), 'pay', args('{"cents":-9007199254740993}'))).toThrow(
      /cents must be 0 or more/,
    );
    expect(() => checkCall(tool(INT64), 'pay', args('{"cents":99223372036854775807}'))).toThrow(
      /cents must be \d+ or less/,
    );
  });

  it('says that there is no such tool only where the tools are known', () => {
    expect(() => checkCall(tool(INT64), 'refund', {})).toThrow('the environment has no tool refund');
    expect(() => checkCall([], 'refund', { cents: 1 })).not.toThrow();
  });

  it('refuses one where a text is wanted, naming the argument', () => {
    const text = tool('{"type":"object","properties":{"id":{"type":"string"}}}');
    expect(() => checkCall(text, 'pay', args('{"id":9007199254740993}'))).toThrow('pay: id must be a text');
  });
});
