import { expect, it } from 'vitest';
import { factsOf } from '../../src/main/reward/facts.ts';
import { isFormatError } from '../../src/shared/episode/turns.ts';
import type { JsonObject } from '../../src/shared/events/turns.ts';
import { episode, TOOLS } from '../renderer/parts/episodes.ts';

const judged = (tool_name: string, args: JsonObject, reward_type: string, error: string, tools = TOOLS) =>
  isFormatError(tools, { type: 'call_tool', tool_name, arguments: args }, null, { error, reward_type });
const MISSING = 'Error calling get_order. Status code: 404. Response: {"detail":"Order 7 not found"}';

it.each([
  ['a listed tool that finds no such record', 'get_order', { order_id: 7 }, 'tool_not_found', MISSING, false],
  ['a tool that is not listed', 'fly', {}, 'tool_not_found', 'Unknown tool: fly', true],
  ['such a tool whose error has no label', 'fly', {}, 'server_error', 'oops', true],
  ['an argument left out', 'get_order', {}, 'invalid_args', 'Field required', true],
  ['an argument of another type', 'get_order', { order_id: 'x' }, 'server_error', 'int_parsing', true],
  ['a value the world dislikes', 'get_order', { order_id: 7 }, 'invalid_args', 'Invalid: closed', false],
])('by the listing, a failed call is judged by what was sent: %s', (_, tool, args, label, error, is) => {
  expect(judged(tool, args as JsonObject, label, error)).toBe(is);
});

it.each([
  ['get_order', 'tool_not_found', MISSING, false],
  ['get_tool', 'tool_not_found', 'Error calling get_tool: Tool 7 not found', false],
  ['fly', 'tool_not_found', 'Unknown tool: fly', true],
  ['fly', 'tool_not_found', "Tool 'fly' not found", true],
  ['get_order', 'invalid_args', 'Field required', true],
])('without a listing, %s with %s is what the message names: %s', (tool, label, error, is) => {
  expect(judged(tool, {}, label, error, [])).toBe(is);
});

it('a record that was not there is an honest failed try, and counts as no format error anywhere', () => {
  const record = episode()
    .open()
    .call('get_order', { order_id: 7 }, { error: MISSING, label: 'tool_not_found' })
    .end('complete')
    .record();
  expect(record.counts.formatErrors).toBe(0);
  expect(factsOf(record)).toMatchObject({ turns: 2, wellFormed: 2, calls: [{ outcome: 'failed' }] });
});
