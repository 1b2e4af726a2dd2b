// Telling a reply's thinking from what it says, where a model writes both into its content.

const TAG = /<(\/?)(think|thinking|reasoning)>/gi;

type SplitThinking = {
  /** The content without its thinking, trimmed. */
  text: string;
  hadThinking: boolean;
  /** True when thinking began and never ended: whatever follows was not said. */
  isUnclosed: boolean;
};

/**
 * Splits a reply. Reads `<think>…</think>` blocks, and thinking whose opening tag the chat template wrote, so that only
 * the closing one is in the content.
 */
export function withoutThinking(content: string): SplitThinking {
  let said = '';
  let from = 0;
  let inside: string | null = null;
  let hadThinking = false;
  for (const match of content.matchAll(TAG)) {
    const name = (match[2] ?? '').toLowerCase();
    const isClosing = match[1] === '/';
    const isOwn = inside === null || (isClosing && name === inside);
    if (!isOwn) continue;
    hadThinking = true;
    // A closing tag that nothing opened: all before it was thinking.
    if (inside === null) said = isClosing ? '' : said + content.slice(from, match.index);
    inside = isClosing ? null : name;
    from = match.index + match[0].length;
  }
  if (inside === null) said += content.slice(from);
  return { text: said.trim(), hadThinking, isUnclosed: inside !== null };
}

/** The content without the thinking in it that ended; the content as it is where there is none. */
export function saidIn(content: string): string {
  const { text, hadThinking, isUnclosed } = withoutThinking(content);
  return hadThinking && !isUnclosed ? text : content;
}
