// The console's address of the desk with a question or a held call chosen: what an announcement leads to. Pure.

/** `key`: of a question its id, of anything else that waits its key. */
export const deskHash = (key: string | null): string =>
  key === null ? '#/desk' : `#/desk?question=${encodeURIComponent(key)}`;

/** The episode in whose id a question's id begins; null for a key of another form. */
export const episodeOfQuestion = (key: string): string | null => /^(.+):c\d+$/.exec(key)?.[1] ?? null;
