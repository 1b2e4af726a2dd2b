// Which words of a request are the agent's task, for a line in a list. Pure.
import { truncate } from '../../../shared/truncate.ts';

const TASK_MAX = 2_000;
const LABELLED =
  /(?:^|\n)[ \t]{0,8}(?:#{1,6}[ \t]{0,8}|\*\*)?(?:the[ \t]{1,4}|user[ \t]{1,4}|agent's[ \t]{1,4})?task\b[^\n:]{0,40}:[*]{0,2}[ \t]*(?:\n[ \t]{0,8}){0,2}([^\n]+(?:\n(?![ \t]{0,8}\n)[^\n]+)*)/i;

/** What a request calls its task; else the first thing its user says. */
export function taskIn(messages: readonly { role: string; text: string }[]): string | null {
  const users = messages.filter(({ role, text }) => role === 'user' && text.trim() !== '');
  const labelled = users.flatMap(({ text }) => LABELLED.exec(truncate(text))?.[1] ?? []).at(-1);
  const words = (labelled ?? users[0]?.text ?? '').trim();
  return words === '' ? null : truncate(words, TASK_MAX).toWellFormed();
}
