// Says in words what an author had seen of the answer.
import type { Privilege, Saw } from '../../../shared/events/actor.ts';
import type { Leak } from '../../../shared/leak.ts';

const SEEN: Readonly<Record<Saw, string>> = {
  criteria: 'what the verifier checks',
  reference: 'the reference solution',
  verdict: 'the verifier’s verdict',
  hidden_state: 'state hidden from the agent',
};

/** Says what a draft's author had seen, and what that means for advice based on it. The draft may still be wrong. */
export function draftPrivilegeText(privilege: Privilege, isByRule = false): string {
  // A rule drafts wrong records on purpose where a task is ambiguous: what it had read must not speak for it.
  if (isByRule)
    return 'A rule wrote this draft and nobody has checked it: all its calls may run and still name wrong records. Advice based on it is marked in the data.';
  if (privilege === 'unknown')
    return 'What this draft was made from is not recorded. Advice based on it is marked as unknown.';
  if (privilege.length === 0) return 'This draft was made without seeing the answer.';
  return `The author of this draft had seen ${listed(privilege)}; advice based on it is marked.`;
}

/** The mark of an advice, whether its own author had seen it or that of the draft it was made from. */
export function privilegeMark(privilege: Privilege): string {
  if (privilege === 'unknown') return 'what it was made from is not recorded';
  return privilege.length === 0
    ? 'made without seeing the answer'
    : `made with ${listed(privilege)} in sight`;
}

const listed = (saws: readonly Saw[]): string => {
  const seen = saws.map((saw) => SEEN[saw]);
  return seen.length < 2 ? (seen[0] ?? '') : `${seen.slice(0, -1).join(', ')} and ${seen.at(-1) ?? ''}`;
};

/** `2 values the agent could not know: “103”, “12”`; the count alone where the values are kept from the reader. */
export function leakText({ count, values }: Leak): string {
  if (count === 0) return 'No value the agent could not know';
  const counted = `${String(count)} ${count === 1 ? 'value' : 'values'} the agent could not know`;
  return values === null ? counted : `${counted}: ${values.map((value) => `“${value}”`).join(', ')}`;
}
