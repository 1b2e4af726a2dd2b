// The names an agent calls tools by: the virtual ones, those that fit a native call, and back.
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { ASK_EXPERT } from '../../shared/wire.ts';

export { ASK_EXPERT };
export const LIST_TOOLS = 'list_tools';
export const CALL_TOOL = 'call_tool';
const VIRTUAL_NAMES: ReadonlySet<string> = new Set([ASK_EXPERT, LIST_TOOLS, CALL_TOOL]);
export const isVirtual = (name: string): boolean => VIRTUAL_NAMES.has(name);

const NATIVE_NAME_MAX = 64;
/** OpenAI's rule for a function's name. */
const NATIVE_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const isNativeName = (name: string): boolean => NATIVE_NAME.test(name);

/** A name a native call may carry; equal to the name when that fits. */
export const nativeName = (name: string): string => {
  const fitting = name.slice(0, NATIVE_NAME_MAX).replace(/[^A-Za-z0-9_-]/g, '_');
  return fitting === '' ? '_' : fitting;
};

/**
 * The native name of each tool. Different tools get different names, and none takes a virtual one. The same tools give
 * the same names every time.
 */
export function nativeNames(tools: readonly ToolSpec[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>(VIRTUAL_NAMES);
  // How far the numbers behind a name are taken: a list may call ten thousand tools alike.
  const tried = new Map<string, number>();
  // Tools whose own name fits keep it, whatever comes before them in the list.
  for (const { name } of tools) {
    if (!isNativeName(name) || taken.has(name)) continue;
    names.set(name, name);
    taken.add(name);
  }
  for (const { name } of tools) {
    if (names.has(name)) continue;
    const base = nativeName(name);
    let free = base;
    let i = tried.get(base) ?? 2;
    for (; taken.has(free); i += 1) free = `${base.slice(0, 63 - String(i).length)}_${String(i)}`;
    tried.set(base, i);
    names.set(name, free);
    taken.add(free);
  }
  return names;
}

export type Names = {
  /** The tool or virtual name that is meant, or null when none is. */
  find(written: string): { name: string; isRepaired: boolean } | null;
};

/** Prefixes that models and harnesses put before a tool's name. */
const PREFIXES = ['functions.', 'tools.', 'default_api.', 'mcp_server_', 'mcp_tool_'];

export function createNames(tools: readonly ToolSpec[]): Names {
  const known = new Map<string, string>([...VIRTUAL_NAMES].map((name) => [name, name]));
  for (const [name, native] of nativeNames(tools)) {
    if (!known.has(name)) known.set(name, name);
    if (!known.has(native)) known.set(native, name);
  }
  const find = (written: string): { name: string; isRepaired: boolean } | null => {
    let name = written.trim();
    for (let tries = 0; tries < 8; tries += 1) {
      const found = known.get(name);
      if (found !== undefined) return { name: found, isRepaired: name !== written };
      const prefix = PREFIXES.find((start) => name.startsWith(start));
      const leak = name.indexOf('<|');
      if (prefix !== undefined) name = name.slice(prefix.length);
      else if (leak > 0) name = name.slice(0, leak).trim();
      else return null;
    }
    return null;
  };
  return { find };
}
