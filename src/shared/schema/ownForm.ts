// The form of a call whose environment's tools nobody has listed, read off the call itself. What differs from it may be
// right: it is said, and never refused.
import type { ToolSpec } from '../events/lifecycle.ts';
import type { JsonObject } from '../events/turns.ts';

export type ProposedCall = { tool_name: string; arguments: JsonObject };

/** Said wherever an edited call is checked by its own form. */
export const CHECKED_BY_OWN_FORM =
  'The environment’s tools were not listed, so the edit was checked by the call’s own form.';

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'an object',
};

export function ownForm({ tool_name: name, arguments: args }: ProposedCall): ToolSpec {
  const properties = Object.entries(args).map(([key, value]): [string, JsonObject] => {
    const type = typeOf(value);
    // Of what lies inside nothing is known.
    return [key, type === 'string' || type === 'number' || type === 'boolean' ? { type } : {}];
  });
  const input_schema = { type: 'object', properties: Object.fromEntries(properties) };
  return { name, description: '', input_schema };
}

/** The differences of an edited call from the proposed one, in words; of values that were changed nothing. */
export function formDifferences(proposed: ProposedCall, edited: ProposedCall): string[] {
  const tool = proposed.tool_name === edited.tool_name ? [] : [`the tool was ${proposed.tool_name}`];
  const left = Object.keys(proposed.arguments).filter((name) => !Object.hasOwn(edited.arguments, name));
  const others = Object.entries(edited.arguments).flatMap(([name, value]) => {
    const was = proposed.arguments[name];
    if (was === undefined) return [`the call had no ${name}`];
    const word = TYPE_WORDS[typeOf(was)];
    return word === undefined || typeOf(was) === typeOf(value) ? [] : [`${name} was ${word}`];
  });
  return [...tool, ...left.map((name) => `${name} is left out`), ...others];
}
