// Finds what stands between marks in one pass over the text. A pattern with `[\s\S]*?` in its middle reads the whole rest
// again for every opening that is never closed. Pure.

type Stretch = {
  /** What each pattern found. */
  marks: RegExpExecArray[];
  /** What stands between one mark and the next. */
  inner: string[];
};

/**
 * Each stretch from the first mark over the nearest next ones to the last, in order and without overlap: what the
 * patterns find with `([\s\S]*?)` between them. Where one mark does not follow, there are no more. The patterns are
 * global.
 */
export function* between(text: string, ...patterns: readonly RegExp[]): Generator<Stretch> {
  for (let from = 0; ;) {
    const marks: RegExpExecArray[] = [];
    const inner: string[] = [];
    for (const pattern of patterns) {
      pattern.lastIndex = from;
      const found = pattern.exec(text);
      if (found === null) return;
      if (marks.length > 0) inner.push(text.slice(from, found.index));
      marks.push(found);
      from = found.index + found[0].length;
    }
    yield { marks, inner };
  }
}

const TOOL_CALL = /<tool_call>\s*\{/g;
const TOOL_CALL_END = /\}\s*<\/tool_call>/g;

/** The texts of the objects that stand in `<tool_call>` tags. */
export const taggedJson = (text: string): string[] =>
  [...between(text, TOOL_CALL, TOOL_CALL_END)].map(({ inner }) => `{${inner[0] ?? ''}}`);

/**
 * Tells where the braces of a text are closed, strings and escapes respected; null for one that never is. However many are
 * asked for, the text is read a few times at most.
 */
export function createBraces(text: string): (open: number) => number | null {
  // Of each brace that was passed: where it is closed, or NEVER.
  let closings = new Int32Array(0);
  const pass = (from: number): void => {
    const opened: number[] = [];
    let isInString = false;
    for (let at = from; at < text.length; at += 1) {
      const char = text[at];
      if (isInString) {
        if (char === '\\') at += 1;
        else if (char === '"') isInString = false;
      } else if (char === '"') isInString = true;
      else if (char === '{') {
        const known = closings[at] ?? 0;
        if (known === NEVER) break;
        if (known > 0) at = known;
        else opened.push(at);
      } else if (char === '}') {
        closings[opened.pop() ?? from] = at;
        if (opened.length === 0) return;
      }
    }
    for (const at of opened) closings[at] = NEVER;
  };
  return (open) => {
    if (closings.length === 0) closings = new Int32Array(text.length);
    if (closings[open] === 0) pass(open);
    const found = closings[open] ?? NEVER;
    return found === NEVER ? null : found;
  };
}
const NEVER = -1;
