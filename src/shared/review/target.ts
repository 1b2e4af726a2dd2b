// Telling targets apart, and values: what makes two of them the same. Pure.
import type { Subject, Target, Value } from '../events/annotations.ts';

/** The same for two reviewers who mean the same part of an episode. */
export function targetKey(target: Target): string {
  switch (target.on) {
    case 'trajectory':
      return `trajectory:${target.episode}`;
    case 'step':
    case 'call':
      return `${target.on}:${target.episode}:${String(target.turn)}`;
    case 'range':
      return `range:${target.episode}:${String(target.n)}:${target.field}:${String(target.start)}-${String(target.end)}`;
  }
}

/** The same for all that is said about one turn, whether of the step or of its call. */
export const targetPlaceKey = (target: Target): string =>
  `${target.episode}:${target.on === 'trajectory' ? '' : String(target.turn)}`;

/** Episodes a candidate or a subject is about. */
export const episodesOf = (subject: Subject): string[] =>
  subject.type === 'episode' ? [subject.episode] : [subject.left.episode, subject.right.episode];

/** The same for two equal values, whatever the order labels were chosen in. */
export function valueKey(value: Value): string {
  switch (value.type) {
    case 'label':
      return value.options.toSorted().join('\n');
    case 'category':
      return value.option;
    case 'scale':
      return String(value.number);
    case 'free_text':
      return value.text.trim();
  }
}
