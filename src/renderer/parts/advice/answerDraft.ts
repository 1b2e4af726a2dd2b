// What a person's words are based on: the draft they began from, or none. A draft that comes later is offered, never
// put over what was written. Pure.

export type ShownDraft = { id: string; text: string };
export type AnswerDraft = {
  /** Null while nothing was written. */
  text: string | null;
  /** The draft the words began from. */
  basis: string | null;
};

export const EMPTY_ANSWER: AnswerDraft = { text: null, basis: null };

/** What the editor shows. */
export const shownText = ({ text }: AnswerDraft, draft: ShownDraft | null): string =>
  text ?? draft?.text ?? '';

/** What is typed now. Words equal to the draft they began from are no words of one's own. */
export function typed(written: AnswerDraft, draft: ShownDraft | null, text: string): AnswerDraft {
  const basis = written.text === null ? (draft?.id ?? null) : written.basis;
  if (draft !== null && basis === draft.id && text === draft.text) return EMPTY_ANSWER;
  if (text === '' && basis === null) return EMPTY_ANSWER;
  return { text, basis };
}

/** True when sending would send something else than the draft as it is. */
export const isEdited = (written: AnswerDraft): boolean => written.text !== null;

/** True when a draft stands beside words that did not begin from it. */
export const isOffered = (written: AnswerDraft, draft: ShownDraft | null): boolean =>
  draft !== null && written.text !== null && written.basis !== draft.id;

/** The draft below one's own words. */
export const inserted = (written: AnswerDraft, draft: ShownDraft): AnswerDraft => ({
  text: written.text === null ? draft.text : `${written.text.trimEnd()}\n\n${draft.text}`,
  basis: draft.id,
});

/** What sending sends, and the draft it names. */
export const advised = (
  written: AnswerDraft,
  draft: ShownDraft | null,
): { text: string; draft: string | null } => ({
  text: shownText(written, draft),
  draft: written.text === null ? (draft?.id ?? null) : written.basis,
});
