// What a person's words are based on: the draft they began from, or none. A draft that comes later is offered, never
// put over what was written. Pure.

export type WordsDraft = { id: string; text: string };
export type AnswerDraft = {
  /** Null while nothing was written. */
  text: string | null;
  /** The draft the words began from. */
  basis: string | null;
};

export const NO_WORDS: AnswerDraft = { text: null, basis: null };

/** What the editor shows. */
export const shownText = ({ text }: AnswerDraft, draft: WordsDraft | null): string =>
  text ?? draft?.text ?? '';

/** What is typed now. Words equal to the draft they began from are no words of one's own. */
export function typed(words: AnswerDraft, draft: WordsDraft | null, text: string): AnswerDraft {
  const basis = words.text === null ? (draft?.id ?? null) : words.basis;
  if (draft !== null && basis === draft.id && text === draft.text) return NO_WORDS;
  if (text === '' && basis === null) return NO_WORDS;
  return { text, basis };
}

/** True when sending would send something else than the draft as it is. */
export const isEdited = (words: AnswerDraft): boolean => words.text !== null;

/** True when a draft stands beside words that did not begin from it. */
export const isOffered = (words: AnswerDraft, draft: WordsDraft | null): boolean =>
  draft !== null && words.text !== null && words.basis !== draft.id;

/** The draft below one's own words. */
export const inserted = (words: AnswerDraft, draft: WordsDraft): AnswerDraft => ({
  text: words.text === null ? draft.text : `${words.text.trimEnd()}\n\n${draft.text}`,
  basis: draft.id,
});

/** What sending sends, and the draft it names. */
export const advised = (
  words: AnswerDraft,
  draft: WordsDraft | null,
): { text: string; draft: string | null } => ({
  text: shownText(words, draft),
  draft: words.text === null ? (draft?.id ?? null) : words.basis,
});
