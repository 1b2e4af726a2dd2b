import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { slimTool } from '../../llm/toolText.ts';
import { safeText } from './json.ts';

export type FunctionTool = {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
};

/** Templates and servers want an object's schema even where a tool takes nothing. */
const NO_PARAMETERS = { type: 'object', properties: {} };

/** Titles, examples and lists of HTTP responses are left out, as the agent was not shown them either. */
export const functionTools = (tools: readonly ToolSpec[]): FunctionTool[] =>
  tools.map(slimTool).map(({ name, description, input_schema }) => ({
    type: 'function',
    function: {
      name: safeText(name),
      description: safeText(description),
      parameters: Object.keys(input_schema).length === 0 ? NO_PARAMETERS : input_schema,
    },
  }));
