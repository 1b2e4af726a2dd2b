// Finding calls that stand outside of the agreed tags: alone, in a fence, after a template's own marker. Must not
// know: which calls are known.
import { between } from '../../shared/between.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { type Block, writtenInTags } from './callBlocks.ts';
import { readJson, readWholeJson } from './looseJson.ts';

const ANY_TAG = /<\/?(?:tool_calls?|function_calls?)\b|\b(?:tool_calls?|function_calls?)>/i;
/** What chat templates of other families put before a call. */
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
