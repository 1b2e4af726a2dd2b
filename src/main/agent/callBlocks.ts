// Finding calls that stand in tags, closed or not, one or several. Must not know: which calls are known; a block is
// only a value that may be a call.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { readJson, readWholeJson } from './looseJson.ts';
import { readTaggedCall, typedArguments } from './readTaggedCall.ts';

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
export function writtenInTags(
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
