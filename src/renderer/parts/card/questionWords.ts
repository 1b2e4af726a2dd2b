// Names a question, a held call or a stop in one short line: by the words of its task.
import type { DeskItem, HoldItem } from '../../../shared/episode/rowShapes.ts';
import { textHead } from '../../../shared/events/text.ts';
import { toolWords } from '../../../shared/sentences/words.ts';
import { cutText, taskWords } from '../episode/taskTitle.ts';

const WORDS_MAX = 48;

type Named = Pick<DeskItem, 'task' | 'question' | 'asked_task' | 'scenario' | 'task_idx'>;

/** `“Pause the weekly supplier digest while…”`; its place where there are no words. */
export function questionWords({ task, question, asked_task: asked, scenario, task_idx }: Named): string {
  const text = task ?? asked ?? question;
  const named = { scenario, task_idx, task: text === null ? null : textHead(text) };
  return `“${cutText(taskWords(named, 'a question without text'), WORDS_MAX)}”`;
}

/** `set schedule for “Pause the weekly supplier digest while…”`; of a stopped episode its task alone. */
export function holdWords({ call, doubt, ...hold }: HoldItem): string {
  const task = questionWords({ ...hold, question: null, asked_task: null });
  const tool = call?.tool_name ?? doubt?.tool_name;
  return tool === undefined ? task : `${toolWords(tool)} for ${task}`;
}
