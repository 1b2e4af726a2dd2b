// Unsent texts whose question is gone: they are listed until the person copies or discards them. Pure.

export type Unsent = { id: string; text: string };

/** Texts for consultations that no longer wait. A reason for declining is kept under its own name. */
export function unsentOf(texts: Readonly<Record<string, string>>, waiting: ReadonlySet<string>): Unsent[] {
  return Object.entries(texts)
    .filter(
      ([id, text]) => text.trim() !== '' && !waiting.has(id) && !waiting.has(id.replace(/:reason$/, '')),
    )
    .map(([id, text]) => ({ id, text }));
}
