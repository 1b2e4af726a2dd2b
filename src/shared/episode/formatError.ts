// Judges whether the agent's call was badly formed: by what it sent against what the environment listed, never by what a
// person made of it. The environment's own label is a guess from the words of its error, and a missing record is "not
// found" too. Pure.
import type { ToolSpec } from '../events/lifecycle.ts';
import { textHead, type Text } from '../events/text.ts';
import type { Move } from '../events/turns.ts';
import { isRecord } from '../json.ts';
import { checkValue } from '../schema/checkValue.ts';
import { truncate } from '../truncate.ts';
import { isReservedTool, isToolError, RewardType } from '../wire.ts';
import type { Call } from './record.ts';

/** What the environment said of a call. */
type ToolAnswer = { error: Text | null; reward_type: string | null };

/**
 * Whether the agent's call was a format error: it failed, or a person put another in its place, and it names a tool that
 * was not listed or has arguments that the listed schema refuses. Where no listing is known, a label of wrong arguments
 * is believed; "not found" alone says nothing, for a world says it of its records.
 */
export function isFormatError(
  tools: readonly ToolSpec[],
  move: Move | null,
  decision: Call['decision'],
  answer: ToolAnswer | null,
): boolean {
  const listed = breaksListing(tools, move);
  if (decision !== null && REPLACES.has(decision.type)) return listed === true;
  if (answer === null || !isToolError(answer.error, answer.reward_type)) return false;
  if (listed !== null) return listed;
  if (answer.reward_type !== 'tool_not_found') return RewardType.formatErrors.has(answer.reward_type ?? '');
  if (move?.type !== 'call_tool' || answer.error === null) return tools.length === 0;
  return namesUnknownTool(truncate(textHead(answer.error)), truncate(move.tool_name));
}

const REPLACES: ReadonlySet<NonNullable<Call['decision']>['type']> = new Set([
  'edited',
  'rejected',
  'answered',
]);

/** Whether the call breaks what was listed; null where the listing does not tell. */
function breaksListing(tools: readonly ToolSpec[], move: Move | null): boolean | null {
  if (move?.type !== 'call_tool' || tools.length === 0 || isReservedTool(move.tool_name)) return null;
  const tool = tools.find(({ name }) => name === move.tool_name);
  if (tool === undefined) return true;
  if (checkValue(tool.input_schema, move.arguments).length > 0) return true;
  return isRecord(tool.input_schema['properties']) ? false : null;
}

/** Whether an error says that there is no tool of this name, and not that something else is missing. */
function namesUnknownTool(error: string, tool: string): boolean {
  const [said, name] = [plainWords(error), plainWords(tool)];
  return [
    `unknown tool${name}`,
    `no such tool${name}`,
    `no tool${name}`,
    `no tool named${name}`,
    `tool${name}not found`,
    `tool${name}was not found`,
    `tool${name}does not exist`,
    `tool${name}is unknown`,
  ].some((words) => said.includes(` ${words.trimEnd()} `));
}

/** Lower case, everything but letters, digits and `_` a single space, and one at each end. */
const plainWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, ' ')
    .trim()} `;
