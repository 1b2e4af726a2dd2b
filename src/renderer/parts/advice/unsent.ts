// Words whose question is gone: they are listed until the person copies or discards them. Pure.

export type Unsent = { id: string; text: string };

/** Words of consultations that no longer wait. A reason for declining is kept under its own name. */
export function unsentOf(words: Readonly<Record<string, string>>, waiting: ReadonlySet<string>): Unsent[] {
  return Object.entries(words)
    .filter(
      ([id, text]) => text.trim() !== '' && !waiting.has(id) && !waiting.has(id.replace(/:reason$/, '')),
    )
    .map(([id, text]) => ({ id, text }));
}
