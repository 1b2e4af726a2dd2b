// Finding calls that stand in tags, closed or not, one or several. Must not know: which calls are known; a block is
// only a value that may be a call.
import { between } from '../../shared/between.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { callFields, own } from './callShape.ts';
import { readJson, readWholeJson } from './looseJson.ts';

export type Block =
  | { value: unknown; repairs: string[] }
  | {
      problem: string;
      code: 'bad_json' | 'empty_tag' | 'no_call_in_tag' | 'truncated_call';
      repairs: string[];
    };

/** Blocks beyond these are not read: no reply holds so many calls. */
const BLOCKS_MAX = 1_000;
const OPEN = /<(tool_calls?|function_calls?)>/gi;
/** Every block that stands in tags, in order. `isCut`: the model ran out of tokens, so an open end was no slip. */
export function taggedBlocks(text: string, isCut: boolean, tools: readonly ToolSpec[]): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (;;) {
    OPEN.lastIndex = from;
    const open = OPEN.exec(text);
    if (open === null || blocks.length >= BLOCKS_MAX) return blocks;
    const start = open.index + open[0].length;
    const inside = blocksInTag(text, start, { isCut, tools });
    // `<tool_calls>` may hold `<tool_call>`: then the inner ones are the blocks.
    if (!(inside.isEmpty && /^\s*<(?:tool|function)_call>/i.test(text.slice(start))))
      blocks.push(...inside.blocks);
    from = Math.max(inside.end, start);
  }
}

/** The values of one tag: usually one, sometimes several in a row. */
function blocksInTag(
  text: string,
  start: number,
  { isCut, tools }: { isCut: boolean; tools: readonly ToolSpec[] },
): { blocks: Block[]; end: number; isEmpty: boolean } {
  const { end: tagEnd, isClosed } = endOfTag(text, start);
  const lead = /^\s*(?:```[a-z]*\s*)?/i.exec(text.slice(start))?.[0] ?? '';
  const repairs = lead.includes('`') ? ['fenced_json'] : [];
  const blocks: Block[] = [];
  let at = start + lead.length;
  while (text[at] === '{' || text[at] === '[') {
    const read = readJson(text, at);
    if (!read.ok) break;
    blocks.push({ value: read.value, repairs: [...repairs, ...read.repairs] });
    at = read.end + (/^[\s,;]*/.exec(text.slice(read.end))?.[0].length ?? 0);
  }
  const [first] = blocks;
  if (first !== undefined)
    return {
      blocks: [{ ...first, repairs: [...first.repairs, ...closing(text, at)] }, ...blocks.slice(1)],
      end: at,
      isEmpty: false,
    };
  const body = text.slice(start, tagEnd);
  return { blocks: [bodyBlock(body, isClosed, isCut, tools)], end: tagEnd, isEmpty: body.trim() === '' };
}

/** The end of a tag's content: its closing tag, the next opening one, or the end of the text. */
function endOfTag(text: string, start: number): { end: number; isClosed: boolean } {
  const close = /<\/?(?:tool_calls?|function_calls?)>/gi;
  close.lastIndex = start;
  const found = close.exec(text);
  if (found === null) return { end: text.length, isClosed: false };
  return { end: found.index, isClosed: found[0].startsWith('</') };
}

/** The text between a value and its closing tag. */
function closing(text: string, at: number): string[] {
  const { end, isClosed } = endOfTag(text, at);
  const between = text
    .slice(at, end)
    .replace(/^\s*```/, '')
    .trim();
  if (!isClosed) return ['unclosed_tag'];
  return between === '' ? [] : ['trailing_text'];
}

/** A tag whose content does not begin with a readable value. */
function bodyBlock(body: string, isClosed: boolean, isCut: boolean, tools: readonly ToolSpec[]): Block {
  const repairs = isClosed ? [] : ['unclosed_tag'];
  const bare = body
    .replace(/^\s*```[a-z]*\s*/i, '')
    .replace(/(?<!\s)\s*```\s*$/, '')
    .trim();
  if (bare === '') return { code: 'empty_tag', problem: 'The tag holds nothing.', repairs };
  const written = isCut && !isClosed ? null : writtenInTags(bare, tools);
  if (written !== null) return { ...written, repairs: [...repairs, ...written.repairs] };
  const whole = readWholeJson(bare, isClosed && !isCut);
  if (whole.ok) return { value: whole.value, repairs: [...repairs, ...whole.repairs] };
  const named = namedBody(bare);
  if (named !== null) return { value: named.value, repairs: [...repairs, ...named.repairs] };
  if (!/[[{]/.test(bare)) {
    return { code: 'no_call_in_tag', problem: 'The tag holds words, but no JSON.', repairs };
  }
  if (whole.isCutOff && !isClosed) {
    return { code: 'truncated_call', problem: `The call is cut off: ${whole.problem}.`, repairs };
  }
  const near = bare.slice(Math.max(0, whole.at - 20), whole.at + 20);
  return {
    code: 'bad_json',
    problem: `The call is not valid JSON: ${whole.problem} (near ${JSON.stringify(near)}).`,
    repairs,
  };
}

/** `the_tool {…}`: the name before its arguments. */
function namedBody(bare: string): { value: unknown; repairs: string[] } | null {
  const lead = /^([A-Za-z_][\w.-]*)\s*(?::\s*)?(?=\{)/.exec(bare);
  if (lead === null) return null;
  const read = readWholeJson(bare.slice(lead[0].length));
  if (!read.ok) return null;
  const isLabel = lead[1] === 'json';
  return isLabel
    ? { value: read.value, repairs: ['leading_text', ...read.repairs] }
    : { value: { name: lead[1], arguments: read.value }, repairs: ['name_before_json', ...read.repairs] };
}

/** A call whose name and arguments are tags themselves; null when it is none. */
function writtenInTags(
  text: string,
  tools: readonly ToolSpec[],
): { value: unknown; repairs: string[] } | null {
  const call = readTaggedCall(text);
  if (call === null) return null;
  const tool = tools.find(({ name }) => name === call.name);
  return {
    value: { name: call.name, arguments: typedArguments(call.written, tool) },
    repairs: ['tagged_arguments'],
  };
}

// Finding calls that stand outside of the agreed tags: alone, in a fence, after a template's own marker. Must not
// know: which calls are known.
const ANY_TAG = /<\/?(?:tool_calls?|function_calls?)\b|\b(?:tool_calls?|function_calls?)>/i;
/** Markers of other chat template families before a call. */
const MARKER = /^(?:<\|python_tag\|>|<\|tool_call\|?>|\[TOOL_CALLS\])\s*/i;
const FENCE = /```[a-z_]*\s*/gi;
const FENCE_END = /```/g;
const OTHER_FORM = /<function=[\w.-]+>|<invoke name="/;

/** True when the text has something of a call's tag in it, if only a mention. */
export const mentionsTag = (text: string): boolean =>
  ANY_TAG.test(text) || OTHER_FORM.test(text) || MARKER.test(text);

/** A call after a template's marker, or written as tags without the agreed one around it; null when there is none. */
export function foreignBlock(text: string, tools: readonly ToolSpec[]): Block | null {
  const marker = MARKER.exec(text)?.[0];
  if (marker !== undefined) {
    const rest = text.slice(marker.length).trim();
    const named = /^([A-Za-z_][\w.-]*)\s*(?:\[ARGS\]\s*)?(?=\{)/.exec(rest);
    const read = readWholeJson(named === null ? rest : rest.slice(named[0].length));
    if (!read.ok) return null;
    const value = named === null ? read.value : { name: named[1], arguments: read.value };
    return { value, repairs: ['template_marker', ...read.repairs] };
  }
  const at = text.search(OTHER_FORM);
  const call = at === -1 ? null : writtenInTags(text.slice(at), tools);
  return call === null ? null : { ...call, repairs: ['missing_tag', ...call.repairs] };
}

/** A value that is the whole text, or its only fence at the very end; null when there is none. */
export function untaggedBlock(text: string): Block | null {
  const fences = [...between(text, FENCE, FENCE_END)];
  const fence = fences.length === 1 && text.trimEnd().endsWith('```') ? fences[0]?.inner[0] : undefined;
  const candidate = (fence ?? text).trim();
  if (!/^[[{]/.test(candidate)) return null;
  const read = readWholeJson(candidate);
  if (!read.ok) return null;
  return {
    value: read.value,
    repairs: ['missing_tag', ...(fence === undefined ? [] : ['fenced_json']), ...read.repairs],
  };
}

/** A value before a closing tag whose opening one is missing; null when there is none. */
export function unopenedBlock(text: string): Block | null {
  const close = /<\/(?:tool_calls?|function_calls?)>/i.exec(text);
  const open = text.search(/[[{]/);
  if (close === null || open === -1 || open > close.index) return null;
  const read = readWholeJson(text.slice(open, close.index), true);
  return read.ok ? { value: read.value, repairs: ['missing_open_tag', ...read.repairs] } : null;
}

/** The values of objects that stand somewhere in the prose. */
export function* embeddedValues(text: string): Generator<unknown> {
  for (
    let at = text.indexOf('{'), tries = 0, left = 2 * text.length;
    at !== -1 && tries < 40 && left > 0;
    tries += 1
  ) {
    const read = readJson(text, at);
    left -= (read.ok ? read.end : read.at) - at;
    if (read.ok) yield read.value;
    at = text.indexOf('{', read.ok ? read.end : at + 1);
  }
}

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
function readTaggedCall(body: string): TaggedCall | null {
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
function typedArguments(
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
