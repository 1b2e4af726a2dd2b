// A client's request read for a person: its messages in order, its tools by name, marks put back or left. Pure.

import { isRecord } from '../../../shared/json.ts';

export type CoveredText = { start: number; end: number; text: string };
type RequestMessage = { role: string; text: string };
type ReadRequest = { messages: RequestMessage[]; tools: string[]; rest: string | null };

/** The request's JSON with what stood under its marks. */
export const uncovered = (request: string, spans: readonly CoveredText[]): string =>
  spans
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (json, { start, end, text }) =>
        json.slice(0, start) + JSON.stringify(text).slice(1, -1) + json.slice(end),
      request,
    );

/** Its parts as far as they can be told; what is neither messages nor tools stays JSON. */
export function readRequest(json: string): ReadRequest {
  let body: unknown;
  try {
    body = JSON.parse(json);
  } catch {
    return { messages: [], tools: [], rest: json };
  }
  if (!isRecord(body)) return { messages: [], tools: [], rest: json };
  const { messages, tools, ...others } = body;
  const read = Array.isArray(messages) ? messages.flatMap(requestMessages) : [];
  const names = Array.isArray(tools) ? tools.flatMap(toolName) : [];
  const rest = Array.isArray(messages)
    ? others
    : { ...others, ...(messages === undefined ? {} : { messages }) };
  return {
    messages: read,
    tools: names,
    rest: Object.keys(rest).length === 0 ? null : JSON.stringify(rest, null, 2),
  };
}

function requestMessages(message: unknown): RequestMessage[] {
  if (!isRecord(message)) return [];
  const role = typeof message['role'] === 'string' ? message['role'] : 'unknown';
  const calls = message['tool_calls'];
  const parts = [requestText(message['content']), calls === undefined ? '' : JSON.stringify(calls, null, 2)];
  return [{ role, text: parts.filter(Boolean).join('\n') }];
}

function requestText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content))
    return content === null || content === undefined ? '' : JSON.stringify(content);
  return content
    .map((part: unknown) =>
      isRecord(part) && typeof part['text'] === 'string' ? part['text'] : JSON.stringify(part),
    )
    .join('\n');
}

function toolName(tool: unknown): string[] {
  if (typeof tool === 'string') return [tool];
  if (!isRecord(tool)) return [];
  const named = isRecord(tool['function']) ? tool['function']['name'] : tool['name'];
  return typeof named === 'string' ? [named] : [];
}
