// A JSON value as the lines of a tree: what is open, what is found, where each value stands. Must not know: how a
// line is drawn.
import { isNumber, isRecord, parseJson } from '../../../shared/json.ts';

type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
export type JsonLine =
  | {
      type: 'value';
      path: string;
      depth: number;
      /** Name or index in its parent; null for the root. */
      name: string | null;
      kind: JsonKind;
      value: unknown;
      /** Members of an object or array; 0 for a plain value. */
      size: number;
      isOpen: boolean;
      isFound: boolean;
    }
  | { type: 'more'; path: string; depth: number; shown: number; size: number };

export type TreeState = {
  /** Paths whose open state differs from the default. */
  toggled: ReadonlySet<string>;
  /** How many members of a large value are listed, by path; PAGE when absent. */
  listed: ReadonlyMap<string, number>;
  query: string;
};

/** Members listed before "show more". */
export const MEMBERS_PER_PAGE = 100;
/** Values a tree opens by itself, breadth first. */
const OPEN_BUDGET = 40;
const OPEN_DEPTH = 3;
export const EMPTY_TREE: TreeState = { toggled: new Set(), listed: new Map(), query: '' };
/** Parsing more than this would hold the screen still. */
const JSON_TEXT_MAX = 8_000_000;

/** The object or list a text is, or null when it is something else: a lone number reads best as it was written. */
export function parseJsonText(text: string): object | null {
  const trimmed = text.trim();
  if (trimmed.length > JSON_TEXT_MAX || !/^[[{]/.test(trimmed)) return null;
  try {
    const value = parseJson(trimmed);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

const kindOf = (value: unknown): JsonKind => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = isNumber(value) ? 'number' : typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
};

type JsonTreeMember = readonly [name: string, value: unknown];

const jsonMembers = (value: unknown): JsonTreeMember[] => {
  if (Array.isArray(value)) return value.map((member, index) => [String(index), member] as const);
  return isRecord(value) ? Object.entries(value) : [];
};

/** `$.orders[0]["unit price"]`: what other tools read. */
export const childPath = (path: string, parent: JsonKind, name: string): string => {
  if (parent === 'array') return `${path}[${name}]`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
};

/** The lines of a tree in this state, first to last. With a query, what holds a match is open. */
export function jsonLines(root: unknown, state: TreeState): JsonLine[] {
  const query = state.query.trim().toLowerCase();
  const found = query === '' ? null : foundPaths(root, query);
  const byDefault = openByDefault(root);
  const lines: JsonLine[] = [];
  const walk = (value: unknown, path: string, depth: number, name: string | null): void => {
    const kind = kindOf(value);
    const members = jsonMembers(value);
    const isOpenFirst = found === null ? byDefault.has(path) : found.holding.has(path);
    const isOpen = members.length > 0 && isOpenFirst !== state.toggled.has(path);
    const isFound = found?.matching.has(path) === true;
    lines.push({ type: 'value', path, depth, name, kind, value, size: members.length, isOpen, isFound });
    if (!isOpen) return;
    const limit = state.listed.get(path) ?? MEMBERS_PER_PAGE;
    const shown =
      found === null
        ? members
        : members.filter(([child]) => found.holds(childPath(path, kind, child)) || isFound);
    for (const [child, member] of shown.slice(0, limit))
      walk(member, childPath(path, kind, child), depth + 1, child);
    if (shown.length > limit)
      lines.push({ type: 'more', path, depth: depth + 1, shown: limit, size: shown.length });
  };
  walk(root, '$', 0, null);
  return lines;
}

/** Counts the values that match a query. */
export const countFound = (root: unknown, query: string): number =>
  query.trim() === '' ? 0 : foundPaths(root, query.trim().toLowerCase()).matching.size;

function foundPaths(root: unknown, query: string) {
  const matching = new Set<string>();
  const holding = new Set<string>();
  const walk = (value: unknown, path: string, name: string | null): boolean => {
    const kind = kindOf(value);
    const isPlain = kind !== 'object' && kind !== 'array';
    const isMatch =
      (name !== null && name.toLowerCase().includes(query)) ||
      (isPlain && String(value).toLowerCase().includes(query));
    if (isMatch) matching.add(path);
    let isHolding = false;
    for (const [child, member] of jsonMembers(value))
      isHolding = walk(member, childPath(path, kind, child), child) || isHolding;
    if (isHolding) holding.add(path);
    return isMatch || isHolding;
  };
  walk(root, '$', null);
  return { matching, holding, holds: (path: string) => matching.has(path) || holding.has(path) };
}

function openByDefault(root: unknown): ReadonlySet<string> {
  const open = new Set<string>();
  let level: { value: unknown; path: string }[] = [{ value: root, path: '$' }];
  let budget = OPEN_BUDGET;
  for (let depth = 0; depth < OPEN_DEPTH; depth += 1) {
    const next: typeof level = [];
    for (const { value, path } of level) {
      const members = jsonMembers(value);
      if (members.length === 0 || (depth > 0 && members.length > budget)) continue;
      open.add(path);
      budget -= Math.min(members.length, MEMBERS_PER_PAGE);
      for (const [name, member] of members.slice(0, MEMBERS_PER_PAGE))
        next.push({ value: member, path: childPath(path, kindOf(value), name) });
    }
    level = next;
  }
  return open;
}
