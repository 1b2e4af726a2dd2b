// How a question is called in one short line: by the words of its task.
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { textHead } from '../../../shared/events/text.ts';

const WORDS_MAX = 48;

type Named = Pick<DeskItem, 'task' | 'question' | 'asked_task' | 'scenario' | 'task_idx'>;

/** `“Pause the weekly supplier digest while…”`; its place where there are no words. */
export function questionWords({ task, question, asked_task: asked, scenario, task_idx }: Named): string {
  const text = task ?? asked ?? question;
  const words = text === null ? '' : textHead(text).replaceAll(/\s+/g, ' ').trim();
  if (words !== '') return `“${cutAtWord(words)}”`;
  return `${scenario ?? 'a question without text'}${task_idx === null ? '' : ` #${String(task_idx)}`}`;
}

function cutAtWord(line: string): string {
  if (line.length <= WORDS_MAX) return line;
  const cut = Array.from(line).slice(0, WORDS_MAX).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > WORDS_MAX / 2 ? cut.slice(0, space) : cut}…`;
}
