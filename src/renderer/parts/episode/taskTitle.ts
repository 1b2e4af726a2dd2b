// The title of an episode: its task's words first, then where the task is from. Pure.

type Named = { task: string | null; scenario: string | null; task_idx: number | null };

/** `loomline_workflows #1`; `other` where no scenario is known. */
export const taskPlace = ({ scenario, task_idx }: Omit<Named, 'task'>, other: string): string =>
  `${scenario ?? other}${task_idx === null ? '' : ` #${String(task_idx)}`}`;

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The task's words on one line; its place where it has none. */
export function taskWords(named: Named, other: string): string {
  const words = oneLine(named.task ?? '');
  return words === '' ? taskPlace(named, other) : words;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** As much of a text as fits in `max` characters as a reader counts them, never cut inside one. */
export function cutText(text: string, max: number): string {
  const letters = Array.from(segmenter.segment(text.slice(0, max * 8)), ({ segment }) => segment);
  return letters.length <= max && text.length <= max * 8 ? text : `${letters.slice(0, max - 1).join('')}…`;
}
