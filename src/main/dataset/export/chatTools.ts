// Owns: tools as training libraries and OpenAI read them: functions with a schema, without what generators leave in.
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { slimTool } from '../../llm/toolText.ts';
import { safeText } from './json.ts';

export type FunctionTool = {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
};

/** Templates and servers want an object's schema even where a tool takes nothing. */
const NOTHING = { type: 'object', properties: {} };

/** Titles, examples and lists of HTTP responses are left out, as the agent was not shown them either. */
export const functionTools = (tools: readonly ToolSpec[]): FunctionTool[] =>
  tools.map(slimTool).map(({ name, description, input_schema }) => ({
    type: 'function',
    function: {
      name: safeText(name),
      description: safeText(description),
      parameters: Object.keys(input_schema).length === 0 ? NOTHING : input_schema,
    },
  }));
