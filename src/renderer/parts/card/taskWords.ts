// How a question is called in one short line: by the words of its task.
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { textHead } from '../../../shared/events/text.ts';

const WORDS_MAX = 48;

type Named = Pick<DeskItem, 'task' | 'question' | 'asked_task' | 'scenario' | 'task_idx' | 'episode'>;

/** `“Pause the weekly supplier digest while…”`; the place where there are no words. */
export function taskWords({ task, question, asked_task: asked, scenario, task_idx, episode }: Named): string {
  const words = [task, asked, question].find((text) => text !== null && textHead(text).trim() !== '');
  if (words !== undefined && words !== null) return `“${cutAtWord(textHead(words))}”`;
  return `${scenario ?? episode}${task_idx === null ? '' : ` #${String(task_idx)}`}`;
}

function cutAtWord(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  if (line.length <= WORDS_MAX) return line;
  const cut = line.slice(0, WORDS_MAX);
  const space = cut.lastIndexOf(' ');
  return `${space > WORDS_MAX / 2 ? cut.slice(0, space) : cut}…`;
}
