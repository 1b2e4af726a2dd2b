// Owns: a conversation without its expert: questions and their answers, advice, notes, rejections, reminders that one may
// ask, and the tool to ask with. What is left is what an agent could have read that works alone.
import { ASK_EXPERT } from '../../../shared/wire.ts';
import { withoutSegments, type Line, type Story } from './line.ts';

/**
 * Each line without the expert, or null where nothing of it is left. Lines in which a person acted stay: a conversation
 * that goes on after them does not hold without them, and whoever makes rows leaves it out.
 */
export function withoutExpert(lines: readonly Line[]): (Line | null)[] {
  // Results of calls that are gone, until the next reply.
  let gone: ReadonlySet<string | null> = new Set();
  return lines.map((line) => {
    if (line.kind === 'reply') {
      const kept = withoutAsk(line);
      gone = new Set(idsOf(line).filter((id) => kept === null || !idsOf(kept).includes(id)));
      return kept;
    }
    const isWords = line.kind === 'advice' || line.kind === 'note';
    // Words inside of a result that is kept go alone.
    const isPart = line.role === 'tool' && line.segments.length > 0;
    const isGone = (isWords && !isPart) || (isResult(line) && gone.has(line.answers));
    return isGone ? null : withoutReminders(line);
  });
}

/** The tools without the one to ask with. */
export const withoutAskTool = (tools: Story['tools']): Story['tools'] =>
  tools.filter(({ function: { name } }) => name !== ASK_EXPERT);

/** A call written into the text has no id: its result is the next thing read. */
const idsOf = ({ calls }: Line): (string | null)[] =>
  calls.length === 0 ? [null] : calls.map(({ id }) => id);
const isResult = ({ kind }: Line): boolean => kind !== 'prompt';

/** The reply without its question; null where nothing else was in it, or where a person turned its call down. */
function withoutAsk(line: Line): Line | null {
  if (line.untrainable === 'rejected') return null;
  if (line.calls.length > 1) {
    const calls = line.calls.filter(({ name }) => name !== ASK_EXPERT);
    return calls.length === line.calls.length ? line : calls.length === 0 ? null : { ...line, calls };
  }
  return line.move?.type === 'ask_expert' ? null : line;
}

const withoutReminders = (line: Line): Line => {
  const { content, ...rest } = withoutSegments(line, ({ type }) => EXPERTS.has(type));
  if (line.role !== 'system') return { ...rest, content };
  // The prompt names the expert in lines of its own.
  const alone = content.split('\n').filter((words) => !words.includes(ASK_EXPERT));
  return { ...rest, content: alone.join('\n') };
};

const EXPERTS: ReadonlySet<string> = new Set(['nudge', 'advice', 'note']);
