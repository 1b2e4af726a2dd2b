// What is offered to an agent natively: the environment's tools under names that fit, and the virtual ones.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { slimTool, type ToolSchema } from '../llm/toolText.ts';
import { ASK_EXPERT, LIST_TOOLS, nativeNames } from './toolNames.ts';

const textProperty = (description: string): ToolSchema => ({ type: 'string', description });

/** An episode's tools are the same list in each of its turns. */
const slimmed = new WeakMap<readonly ToolSpec[], readonly ToolSpec[]>();

function ownTools(tools: readonly ToolSpec[]): readonly ToolSpec[] {
  const known = slimmed.get(tools);
  if (known !== undefined) return known;
  const names = nativeNames(tools);
  const own = tools.map((tool) => ({ ...slimTool(tool), name: names.get(tool.name) ?? tool.name }));
  slimmed.set(tools, own);
  return own;
}

/** What is offered natively: the environment's tools, `list_tools`, and `ask_expert` where there is an expert. */
export function offeredTools(
  tools: readonly ToolSpec[],
  descriptions: {
    list: string;
    ask: string | null;
    /** Whom the agent may name, and what it is told of them; null or absent where it asks whoever is there. */
    who?: { names: string[]; text: string } | null;
  },
): ToolSpec[] {
  const own = ownTools(tools);
  const list: ToolSpec = {
    name: LIST_TOOLS,
    description: descriptions.list,
    input_schema: { type: 'object', properties: {} },
  };
  const { who = null } = descriptions;
  if (descriptions.ask === null) return [...own, list];
  const ask: ToolSpec = {
    name: ASK_EXPERT,
    description: descriptions.ask,
    input_schema: {
      type: 'object',
      properties: {
        task: textProperty('What you want to achieve.'),
        available_tools: textProperty('Names of the tools that seem to matter, separated by commas.'),
        context: textProperty('What you tried, what came back, and what you cannot tell.'),
        ...(who === null ? {} : { expert: { ...textProperty(who.text), enum: who.names } }),
      },
      required: ['task'],
    },
  };
  return [...own, list, ask];
}
