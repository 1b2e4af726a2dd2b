// How a question is called in one short line: by the words of its task.
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { textHead } from '../../../shared/events/text.ts';
import { cutText, taskWords } from '../episode/taskTitle.ts';

const WORDS_MAX = 48;

type Named = Pick<DeskItem, 'task' | 'question' | 'asked_task' | 'scenario' | 'task_idx'>;

/** `“Pause the weekly supplier digest while…”`; its place where there are no words. */
export function questionWords({ task, question, asked_task: asked, scenario, task_idx }: Named): string {
  const text = task ?? asked ?? question;
  const named = { scenario, task_idx, task: text === null ? null : textHead(text) };
  return `“${cutText(taskWords(named, 'a question without text'), WORDS_MAX)}”`;
}
