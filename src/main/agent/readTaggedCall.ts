// Calls that are written as tags instead of JSON: Qwen3-Coder's `<function=…>`, GLM's `<arg_key>`, `<invoke>`.
import { between } from '../../shared/between.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { callFields, own } from './callShape.ts';
import { readWholeJson } from './looseJson.ts';

/** Each form: where the name stands, and the pairs of a key and its value behind it. */
const TAG_FORMS: readonly { name: RegExp; pairs: (text: string) => [string, string][] }[] = [
  {
    name: /^<function=([\w.-]+)>/,
    pairs: (text) => [...text.matchAll(PARAMETER)].map(([, key = '', value = '']) => [key, value]),
  },
  {
    name: /^<invoke name="([\w.-]+)">/,
    pairs: (text) =>
      [...between(text, /<parameter name="([\w.-]+)"/g, />/g, /<\/parameter>/g)].map(({ marks, inner }) => [
        marks[0]?.[1] ?? '',
        inner[1] ?? '',
      ]),
  },
  {
    name: /^([\w.-]+)\s*(?=<arg_key>)/,
    pairs: (text) =>
      [...between(text, /<arg_key>/g, /<\/arg_key>\s*<arg_value>/g, /<\/arg_value>/g)].map(
        ({ inner: [key = '', value = ''] }) => [key.trim(), value],
      ),
  },
];
/** One that is not closed ends where the next begins, or with the call. */
const PARAMETER = /<parameter=([\w.-]+)>\n?([\s\S]*?)\n?(?:<\/parameter>|(?=<parameter=|<\/function>|$))/g;

type TaggedCall = { name: string; written: [string, string][] };

/** The call a tag's content describes in one of these forms, or null. Values are text still. */
export function readTaggedCall(body: string): TaggedCall | null {
  const text = body.trim();
  for (const { name, pairs } of TAG_FORMS) {
    const found = name.exec(text);
    if (found === null) continue;
    return { name: found[1] ?? '', written: pairs(text.slice(found[0].length)) };
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
