// Owns: finding where calls stand in a text: in tags, closed or not, in a fence, or as the whole text.
// Must not know: which calls are known; a block is only a value that may be a call.
import { readJson, readWholeJson } from './looseJson.ts';

export type Block =
  | { value: unknown; repairs: string[] }
  | {
      problem: string;
      code: 'bad_json' | 'empty_tag' | 'no_call_in_tag' | 'truncated_call';
      repairs: string[];
    };

const OPEN = /<(tool_calls?|function_calls?)>/gi;
const ANY_TAG = /<\/?(?:tool_calls?|function_calls?)\b|\b(?:tool_calls?|function_calls?)>/i;

/** True when the text has something of a call's tag in it, if only a mention. */
export const mentionsTag = (text: string): boolean => ANY_TAG.test(text);

/** Every block that stands in tags, in order. `isCut`: the model ran out of tokens, so an open end was no slip. */
export function taggedBlocks(text: string, isCut: boolean): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (;;) {
    OPEN.lastIndex = from;
    const open = OPEN.exec(text);
    if (open === null) return blocks;
    const start = open.index + open[0].length;
    const inside = blocksInTag(text, start, isCut);
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
  isCut: boolean,
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
  return { blocks: [bodyBlock(body, isClosed, isCut)], end: tagEnd, isEmpty: body.trim() === '' };
}

/** Where a tag's content ends: at its closing tag, at the next opening one, or with the text. */
function endOfTag(text: string, start: number): { end: number; isClosed: boolean } {
  const close = /<\/?(?:tool_calls?|function_calls?)>/gi;
  close.lastIndex = start;
  const found = close.exec(text);
  if (found === null) return { end: text.length, isClosed: false };
  return { end: found.index, isClosed: found[0].startsWith('</') };
}

/** What stands between a value and its closing tag. */
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
function bodyBlock(body: string, isClosed: boolean, isCut: boolean): Block {
  const repairs = isClosed ? [] : ['unclosed_tag'];
  const bare = body
    .replace(/^\s*```[a-z]*\s*/i, '')
    .replace(/\s*```\s*$/, '')
    .trim();
  if (bare === '') return { code: 'empty_tag', problem: 'The tag holds nothing.', repairs };
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
  const lead = /^([A-Za-z_][\w.-]*)\s*:?\s*(?=\{)/.exec(bare);
  if (lead === null) return null;
  const read = readWholeJson(bare.slice(lead[0].length));
  if (!read.ok) return null;
  const isLabel = lead[1] === 'json';
  return isLabel
    ? { value: read.value, repairs: ['leading_text', ...read.repairs] }
    : { value: { name: lead[1], arguments: read.value }, repairs: ['name_before_json', ...read.repairs] };
}

/** A value that is the whole text, or its only fence at the very end; null when there is none. */
export function untaggedBlock(text: string): Block | null {
  const fences = [...text.matchAll(/```[a-z_]*\s*\n?([\s\S]*?)```/gi)];
  const fence = fences.length === 1 && text.trimEnd().endsWith('```') ? fences[0]?.[1] : undefined;
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
  for (let at = text.indexOf('{'), tries = 0; at !== -1 && tries < 40; tries += 1) {
    const read = readJson(text, at);
    if (read.ok) yield read.value;
    at = text.indexOf('{', read.ok ? read.end : at + 1);
  }
}
