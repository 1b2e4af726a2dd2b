// Telling the calls of an episode apart by what they ask for.
import { canonical } from '../../shared/canonical.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../shared/events/turns.ts';

/** A number for a call: the same for the same tool with the same arguments, whatever their order. */
export type CallKeys = (tool: string, args: Readonly<Record<string, unknown>>) => number;

/** Arguments a tool does not have are left out: they change nothing, and would make a repeat look new. */
export function callKeys(tools: readonly ToolSpec[]): CallKeys {
  const known = new Map(tools.map((tool) => [tool.name, propertiesOf(tool)]));
  const keys = new Map<string, number>();
  return (tool, args) => {
    const text = canonical([tool, restricted(args, known.get(tool) ?? null)]);
    const key = keys.get(text) ?? keys.size;
    keys.set(text, key);
    return key;
  };
}

function propertiesOf({ input_schema: schema }: ToolSpec): ReadonlySet<string> | null {
  const properties = schema['properties'];
  const isOpen = schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false;
  if (typeof properties !== 'object' || properties === null || isOpen) return null;
  return new Set(Object.keys(properties));
}

const restricted = (
  args: Readonly<JsonObject | Record<string, unknown>>,
  names: ReadonlySet<string> | null,
) => (names === null ? args : Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name))));
