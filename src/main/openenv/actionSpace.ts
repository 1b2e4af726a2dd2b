// Actions of an environment that is driven by its action's JSON Schema: each type of action is offered as a tool, so
// that agents, people, approvals, forms and exports treat it as they treat tools.
// Source: OpenEnv core `env_server` (`/schema`, `deserialize_action`).
import { isRecord } from '../../shared/json.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../shared/events/turns.ts';
import { checkValue, resolved, type Schema, wrongText } from '../../shared/schema/checkValue.ts';
import { ASK_EXPERT, PROTOCOL_NAMES, RESERVED_TOOLS } from '../../shared/wire.ts';

/** One type of action. `fixed` holds what always goes with it, such as the value that tells it from the others. */
type ActionType = { tool: ToolSpec; fixed: JsonObject };

/** The fault of a call that can be no action. */
export type CallFault = { reason: 'unknown_tool' } | { reason: 'malformed'; detail: string };

export type ActionSpace = { types: readonly ActionType[] };

/** Names that mean something else to an agent or to the protocol. */
const TAKEN: ReadonlySet<string> = new Set([
  ...RESERVED_TOOLS,
  ...PROTOCOL_NAMES,
  ASK_EXPERT,
  'list_tools',
  'call_tool',
]);
/** Every action of OpenEnv has it: for its client's notes, not for the environment. */
const METADATA = 'metadata';
/** Unions in unions deeper than this go in a circle. */
const NESTED_UNIONS_MAX = 20;

/**
 * The actions of an environment by the JSON Schema of its action (`action` of `/schema`); null where the schema is that
 * of MCP tool calls, where the tools are asked of the environment itself, or where it is no object's.
 */
export function readActionSpace(schema: unknown): ActionSpace | null {
  if (!isRecord(schema)) return null;
  const { $defs } = schema;
  const variants = variantsOf(schema, schema);
  if (variants.length === 0 || variants.some(isToolCall)) return null;
  // A class without fields of its own is the base class: its environment is one of tools.
  if (variants.length === 1 && schema['title'] === 'Action') return null;
  const names = new Set<string>();
  const types = variants.map((variant) => {
    const type = actionType(variant, variants.length > 1, isRecord($defs) ? $defs : null);
    const { tool } = type;
    const name = freeName(tool.name, names);
    names.add(name);
    return { ...type, tool: { ...tool, name } };
  });
  return { types };
}

/** The action of a call of one of the space's tools; null where it has no such tool. */
export function actionOfCall({ types }: ActionSpace, name: string, args: JsonObject): JsonObject | null {
  const type = types.find(({ tool }) => tool.name === name);
  return type === undefined ? null : { ...args, ...type.fixed };
}

/** A call's fault by the JSON Schema of the space, in words for an agent; null where nothing certain is wrong. */
export function faultOfCall({ types }: ActionSpace, name: string, args: JsonObject): CallFault | null {
  const type = types.find(({ tool }) => tool.name === name);
  if (type === undefined) return { reason: 'unknown_tool' };
  const own = Object.entries(args).filter(([key]) => !(key in type.fixed) && key !== METADATA);
  const wrongs = checkValue(type.tool.input_schema, Object.fromEntries(own), 'agent');
  return wrongs.length === 0 ? null : { reason: 'malformed', detail: wrongText(wrongs) };
}

/** The call that an action is; null where it is of none of the types. */
export function callOfAction(
  { types }: ActionSpace,
  action: JsonObject,
): { tool_name: string; arguments: JsonObject } | null {
  const fits = ({ fixed, tool }: ActionType): boolean =>
    Object.entries(fixed).every(([key, value]) =>
      // What is always the same may be left out, unless it tells this type from others.
      action[key] === undefined ? types.length === 1 : action[key] === value,
    ) &&
    (types.length === 1 || Object.keys(fixed).length > 0 || requiredOf(tool).every((key) => key in action));
  const type = types.find(fits);
  if (type === undefined) return null;
  const own = Object.entries(action).filter(([key]) => !(key in type.fixed));
  return { tool_name: type.tool.name, arguments: Object.fromEntries(own) };
}

const requiredOf = ({ input_schema }: ToolSpec): string[] =>
  Array.isArray(input_schema['required']) ? (input_schema['required'] as string[]) : [];

/** The object schemas an action may be: one, or those of a union. */
function variantsOf(schema: Schema, root: Schema, depth = 0): Schema[] {
  if (depth > NESTED_UNIONS_MAX) return [];
  const at = resolved(schema, root);
  const union = [at['oneOf'], at['anyOf']].find((one) => Array.isArray(one)) as unknown[] | undefined;
  if (union === undefined) return at['type'] === 'object' || isRecord(at['properties']) ? [at] : [];
  return union.flatMap((one) => (isRecord(one) ? variantsOf(one, root, depth + 1) : []));
}

const propertiesOf = (schema: Schema): Schema => (isRecord(schema['properties']) ? schema['properties'] : {});

/** True if an action is a tool call of MCP, or asks for the tools. */
function isToolCall(schema: Schema): boolean {
  const properties = propertiesOf(schema);
  const tag = constant(properties['type']);
  return 'tool_name' in properties || tag === 'list_tools' || tag === 'call_tool';
}

/** The only value a property may have; undefined where it may have several. */
function constant(property: unknown): string | number | boolean | undefined {
  if (!isRecord(property)) return undefined;
  const only =
    Array.isArray(property['enum']) && property['enum'].length === 1
      ? property['enum'][0]
      : property['const'];
  return typeof only === 'string' || typeof only === 'number' || typeof only === 'boolean' ? only : undefined;
}

function actionType(schema: Schema, isOneOfMany: boolean, $defs: Schema | null): ActionType {
  const all = propertiesOf(schema);
  const fixed: JsonObject = {};
  const properties: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(all)) {
    const only = constant(property);
    if (only !== undefined) fixed[key] = only;
    else if (key !== METADATA) properties[key] = property;
  }
  const required = requiredOf({ name: '', description: '', input_schema: schema }).filter(
    (key) => key in properties,
  );
  const title = typeof schema['title'] === 'string' ? schema['title'] : 'act';
  const tag = isOneOfMany ? Object.values(fixed).find((value) => typeof value === 'string') : undefined;
  const description = typeof schema['description'] === 'string' ? schema['description'].trim() : '';
  return {
    fixed,
    tool: {
      name: toolName(tag ?? title),
      description,
      input_schema: {
        type: 'object',
        properties,
        ...(required.length > 0 ? { required } : {}),
        ...('additionalProperties' in schema ? { additionalProperties: schema['additionalProperties'] } : {}),
        ...($defs === null || !JSON.stringify(properties).includes('#/$defs/') ? {} : { $defs }),
      },
    },
  };
}

/** `GridWorldAction` becomes `grid_world_action`. */
const toolName = (title: string): string => {
  const name = title
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .slice(0, 56);
  if (name === '') return 'act';
  return TAKEN.has(name) ? `${name}_action` : name;
};

function freeName(name: string, names: ReadonlySet<string>): string {
  for (let count = 2, free = name; ; count += 1) {
    if (!names.has(free)) return free;
    free = `${name}_${String(count)}`;
  }
}
