// The tools that a server lists in a session: as a step, or, where its action is stricter than OpenEnv's own, by MCP's
// `tools/list` over the same socket.
import { ToolSpec } from '../../shared/events/lifecycle.ts';
import { isRecord } from '../../shared/json.ts';
import type { ClientFrame } from '../../shared/wireFrames.ts';
import type { FrameAnswer } from './connection.ts';

export type ListedTools = { tools: ToolSpec[]; raw: string; latency_ms: number };

const LIST_STEP: ClientFrame = { type: 'step', data: { type: 'list_tools' } };
const LIST_BY_MCP: ClientFrame = {
  type: 'mcp',
  data: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
};

/** Null where the server gave something else than a list; `first` is what it said to the step. */
export async function askTools(
  exchange: (frame: ClientFrame) => Promise<FrameAnswer>,
): Promise<{ listed: ListedTools | null; first: FrameAnswer }> {
  const first = await exchange(LIST_STEP);
  const { frame } = first;
  if (frame.type === 'observation')
    return { listed: listedTools(frame.data.observation.tools ?? [], first), first };
  // A class of the environment's own takes calls of tools and no others.
  if (frame.type !== 'error' || frame.data.code !== 'VALIDATION_ERROR') return { listed: null, first };
  const answer = await exchange(LIST_BY_MCP);
  const data = answer.frame.type === 'mcp' && isRecord(answer.frame.data) ? answer.frame.data : {};
  const result = isRecord(data['result']) ? data['result'] : {};
  return { listed: toolsOfMcp(result, answer), first };
}

/** The tools in a result of `tools/list`; null where there are none. */
export const toolsOfMcp = ({ tools }: Record<string, unknown>, answer: RawAnswer): ListedTools | null =>
  Array.isArray(tools) ? listedTools(tools.map(namedAsOurs), answer) : null;

type RawAnswer = Pick<FrameAnswer, 'raw' | 'latency_ms'>;

const listedTools = (tools: readonly unknown[], { raw, latency_ms }: RawAnswer): ListedTools => ({
  tools: tools.map((tool) => ToolSpec.parse(tool)),
  raw,
  latency_ms,
});

/** MCP writes `inputSchema`, and its library `input_schema`. */
const namedAsOurs = (tool: unknown): unknown =>
  isRecord(tool)
    ? {
        name: tool['name'],
        description: tool['description'] ?? '',
        input_schema: tool['inputSchema'] ?? tool['input_schema'] ?? {},
        // Whether it only reads stands here.
        ...(isRecord(tool['annotations']) ? { annotations: tool['annotations'] } : {}),
      }
    : tool;
