// For the ids in planned calls, the calls of tools that only read which tell the records' names: the agent could make
// them too.
import { canonical } from '../../shared/canonical.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { Json } from '../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import { isRecord } from '../../shared/json.ts';

export type Lookup = { tool_name: string; arguments: JsonObject };

/** Each is a call to the environment, for a name only. */
const LOOKUPS_MAX = 6;

/** `workflow_id`, `from_user_id`, `bill_ids`: the field of an id, and what the record is called. */
const ID_FIELD = /^(.+)_ids?$/;

/** What asks for the records that the calls name by their ids, through `tools`; what the episode asked is left out. */
export function lookupsFor(
  calls: readonly Lookup[],
  tools: readonly ToolSpec[],
  { turns }: Pick<EpisodeRecord, 'turns'>,
): Lookup[] {
  const known = new Set(
    turns.flatMap(({ call }) =>
      call?.sent && call.returned !== null && call.returned.error === null
        ? [nameOf({ tool_name: call.sent.toolName, arguments: call.sent.arguments })]
        : [],
    ),
  );
  const found = new Map<string, Lookup>();
  for (const { arguments: args } of calls) {
    for (const [field, value] of Object.entries(args)) {
      const noun = ID_FIELD.exec(field)?.[1];
      const ids = Array.isArray(value) ? value : [value];
      for (const id of noun === undefined ? [] : ids) {
        const lookup = lookupOf(noun ?? '', id, tools);
        if (lookup !== null && !known.has(nameOf(lookup))) found.set(nameOf(lookup), lookup);
      }
    }
  }
  return [...found.values()].slice(0, LOOKUPS_MAX);
}

const nameOf = (lookup: Lookup): string => canonical([lookup.tool_name, lookup.arguments]);

/** `from_user` may be a record called so, or a user. */
function lookupOf(noun: string, id: Json, tools: readonly ToolSpec[]): Lookup | null {
  if (typeof id !== 'number' && typeof id !== 'string') return null;
  for (const name of new Set([noun, noun.slice(noun.lastIndexOf('_') + 1)])) {
    const field = `${name}_id`;
    const one = tools.find(
      (tool) => tool.name.endsWith(`_${name}`) && canonical(requiredOf(tool)) === canonical([field]),
    );
    if (one !== undefined) return { tool_name: one.name, arguments: { [field]: id } };
    const all = tools.find(
      (tool) =>
        pluralsOf(name).some((many) => tool.name.endsWith(`_${many}`)) && requiredOf(tool).length === 0,
    );
    if (all !== undefined) return { tool_name: all.name, arguments: mostRows(all) };
  }
  return null;
}

const pluralsOf = (name: string): string[] => [`${name}s`, `${name}es`, name.replace(/y$/, 'ies')];

const requiredOf = ({ input_schema: schema }: ToolSpec): unknown[] =>
  Array.isArray(schema['required']) ? schema['required'] : [];

/** As many rows as a list gives, where it has a limit. */
function mostRows({ input_schema: schema }: ToolSpec): JsonObject {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const limit = properties['limit'];
  return isRecord(limit) && typeof limit['maximum'] === 'number' ? { limit: limit['maximum'] } : {};
}

/** Whether a server says of a tool, as MCP does, that it only reads. */
export const saysReadOnly = (tool: ToolSpec): boolean => {
  const annotations = tool['annotations'];
  return isRecord(annotations) && annotations['readOnlyHint'] === true;
};

/** Whether a tool is called like one that only reads. */
export const soundsReadOnly = ({ name }: ToolSpec): boolean => /^(?:get|list|search|find)_/.test(name);
