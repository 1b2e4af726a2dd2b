// Owns: telling a reply's thinking from what it says, where a model writes both into its content.

const TAGS = ['think', 'thinking', 'reasoning'] as const;

export type Said = {
  /** The content without its thinking, trimmed. */
  text: string;
  hadThinking: boolean;
  /** True when thinking began and never ended: whatever follows was not said. */
  isUnclosed: boolean;
};

/**
 * What a reply says. Reads `<think>…</think>` blocks, and thinking whose opening tag the chat template wrote, so that
 * only the closing one is in the content.
 */
export function withoutThinking(content: string): Said {
  let text = content;
  for (const tag of TAGS) {
    text = text.replace(new RegExp(`<${tag}>[\\s\\S]*?</${tag}>`, 'gi'), '');
    const close = new RegExp(`^[\\s\\S]*</${tag}>`, 'i');
    text = text.replace(close, '');
  }
  const open = new RegExp(`<(?:${TAGS.join('|')})>`, 'i').exec(text);
  const said = open === null ? text : text.slice(0, open.index);
  return { text: said.trim(), hadThinking: said.length !== content.length, isUnclosed: open !== null };
}
