// Short readings of long things: a first sentence, a call's arguments on one line, a plan as its calls.
import { textHead, type Text } from '../../../shared/events/text.ts';
import { parsePlan } from '../../../shared/plan.ts';

const LINE_MAX = 240;
const VALUE_MAX = 60;

/** On one line, its end marked when it goes on. The whole is always one step away, in the details. */
export function oneLine(text: string, max = LINE_MAX): string {
  const line = text
    .slice(0, max * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > max || text.length > max * 4 ? `${line.slice(0, max).trimEnd()}…` : line;
}

/** The first sentence of a text, or as much of it as a line holds. */
export function firstSentence(text: string): string {
  const line = oneLine(text);
  const end = /[.!?](?=\s+["'(]?[A-ZÀ-Þ0-9])/.exec(line);
  return end === null ? line : line.slice(0, end.index + 1);
}

/** What the agent wrote around its call: the call itself is shown as one. */
export const proseOf = (content: Text): string =>
  textHead(content)
    .replace(/<tool_call>[\s\S]*?(<\/tool_call>|$)/g, ' ')
    .replace(/<think>[\s\S]*?(<\/think>|$)/g, ' ')
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .trim();

/** `order_id: 12, status: "open"`, long values cut with a mark. */
export const argumentsLine = (args: Readonly<Record<string, unknown>>): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}: ${shortValue(value)}`)
    .join(', ');

function shortValue(value: unknown): string {
  const json = JSON.stringify(value) ?? 'null';
  return json.length > VALUE_MAX ? `${json.slice(0, VALUE_MAX)}…` : json;
}

/** An advice in a line: the calls it asks for, else its first sentence. */
export function adviceLine(text: Text): string {
  const head = textHead(text);
  const { calls } = parsePlan(head);
  return calls.length === 0 ? firstSentence(head) : calls.map((call) => call.tool).join(' → ');
}
