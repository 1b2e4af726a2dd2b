// Owns: tool descriptions in the shapes files have them, as the log keeps them.
import { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { fieldsOf, isFields, listOf, own, textOf } from './values.ts';

/** Tools from OpenAI's, MCP's, Anthropic's or Inspect's shape, or from JSON text that holds them; others are left out. */
export function toolSpecs(given: unknown): ToolSpec[] {
  const list = typeof given === 'string' ? parsed(given) : given;
  return listOf(list).flatMap((tool) => {
    const body = isFields(own(tool, 'function')) ? own(tool, 'function') : tool;
    const name = textOf(own(body, 'name'));
    if (name === null) return [];
    const schema = own(body, 'parameters') ?? own(body, 'input_schema') ?? own(body, 'inputSchema');
    const description = textOf(own(body, 'description')) ?? '';
    const read = ToolSpec.safeParse({ name, description, input_schema: fieldsOf(schema) });
    return read.success ? [read.data] : [];
  });
}

/** Tools of which only the names are recorded. */
export const namedTools = (names: unknown): ToolSpec[] =>
  listOf(names).flatMap((name) =>
    typeof name === 'string' ? [{ name, description: '', input_schema: {} }] : [],
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
