/** A verifier's label as a person reads it; `others` is how verifiers of this kind say that the task is not complete. */
export const verdictText = (label: string | null): string =>
  label === null ? 'no verdict' : label === 'others' ? 'not complete' : label.replaceAll('_', ' ');
