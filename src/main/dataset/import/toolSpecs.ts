// Reads tool descriptions in any of the shapes files use into the log's own.
import { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { tryExactJson } from '../../../shared/json.ts';
import { recordFrom, isJsonRecord, listFrom, ownValue, textFrom } from './values.ts';

/** Tools from OpenAI's, MCP's, Anthropic's or Inspect's shape, or from JSON text that holds them; others are left out. */
export function toolSpecs(given: unknown): ToolSpec[] {
  const list = typeof given === 'string' ? tryExactJson(given) : given;
  return listFrom(list).flatMap((tool) => {
    const body = isJsonRecord(ownValue(tool, 'function')) ? ownValue(tool, 'function') : tool;
    const name = textFrom(ownValue(body, 'name'));
    if (name === null) return [];
    const schema =
      ownValue(body, 'parameters') ?? ownValue(body, 'input_schema') ?? ownValue(body, 'inputSchema');
    const description = textFrom(ownValue(body, 'description')) ?? '';
    const read = ToolSpec.safeParse({ name, description, input_schema: recordFrom(schema) });
    return read.success ? [read.data] : [];
  });
}

/** Tools of which only the names are recorded. */
export const namedTools = (names: unknown): ToolSpec[] =>
  listFrom(names).flatMap((name) =>
    typeof name === 'string' ? [{ name, description: '', input_schema: {} }] : [],
  );
