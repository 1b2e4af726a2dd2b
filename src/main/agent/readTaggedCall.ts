// Calls that are written as tags instead of JSON: Qwen3-Coder's `<function=…>`, GLM's `<arg_key>`, `<invoke>`.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { callFields, own } from './callShape.ts';
import { readWholeJson } from './looseJson.ts';

/** Each form: where the name stands, and how one key and its value are written. */
const TAG_FORMS: readonly { name: RegExp; pair: RegExp }[] = [
  {
    name: /^<function=([\w.-]+)>/,
    pair: /<parameter=([\w.-]+)>\n?([\s\S]*?)\n?(?:<\/parameter>|(?=<parameter=|<\/function>|$))/g,
  },
  { name: /^<invoke name="([\w.-]+)">/, pair: /<parameter name="([\w.-]+)"[^>]*>([\s\S]*?)<\/parameter>/g },
  {
    name: /^([\w.-]+)\s*(?=<arg_key>)/,
    pair: /<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g,
  },
];

type TaggedCall = { name: string; written: [string, string][] };

/** The call a tag's content describes in one of these forms, or null. Values are text still. */
export function readTaggedCall(body: string): TaggedCall | null {
  const text = body.trim();
  for (const { name, pair } of TAG_FORMS) {
    const found = name.exec(text);
    if (found === null) continue;
    const rest = text.slice(found[0].length);
    const written = [...rest.matchAll(pair)].map((match): [string, string] => [
      (match[1] ?? '').trim(),
      match[2] ?? '',
    ]);
    return { name: found[1] ?? '', written };
  }
  return null;
}

/**
 * The arguments as values. These forms do not say whether `7` is a number or a text: the tool's schema does, and
 * without one a value that is JSON is taken for it.
 */
export function typedArguments(
  written: readonly [string, string][],
  tool: ToolSpec | undefined,
): Record<string, unknown> {
  const properties = callFields(own(tool?.input_schema ?? {}, 'properties')) ?? {};
  return Object.fromEntries(
    written.map(([key, text]) => [key, typedValue(text, schemaTypes(own(properties, key)))]),
  );
}

function schemaTypes(property: unknown): readonly unknown[] {
  const type = own(callFields(property) ?? {}, 'type');
  return Array.isArray(type) ? type : [type];
}

function typedValue(text: string, types: readonly unknown[]): unknown {
  const isText = types.includes('string');
  if (isText && !(types.includes('null') && text.trim() === 'null')) return text;
  const read = readWholeJson(text.trim());
  return read.ok && read.repairs.every((repair) => repair === 'python_literal') ? read.value : text;
}
