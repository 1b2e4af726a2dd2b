// A conversation without its expert: questions and answers, advice, notes, rejections, reminders and the tool itself
// are taken out. What is left is what an agent working alone could have read.
import { ASK_EXPERT } from '../../../shared/wire.ts';
import { speaksOfExpert, withoutAskTool } from './expertTraces.ts';
import { withoutSegments, type TranscriptLine, type Transcript } from './transcriptLine.ts';

/**
 * Each line without the expert, or null where nothing of it is left. Lines in which a person acted stay: a conversation
 * that goes on after them does not hold without them, and whoever makes rows leaves it out. `isHelped`: somebody helped, or
 * may have, so that thoughts of advice are of theirs.
 */
export function withoutExpert(
  lines: readonly TranscriptLine[],
  isHelped: boolean,
): (TranscriptLine | null)[] {
  // Results of calls that are gone, until the next reply.
  let gone: ReadonlySet<string | null> = new Set();
  return lines.map((line) => {
    if (line.kind === 'reply') {
      const kept = withoutAsk(line, isHelped);
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
export const toolsWithoutAsk = (tools: Transcript['tools']): Transcript['tools'] =>
  tools.filter(({ function: { name } }) => name !== ASK_EXPERT);

/** A call written into the text has no id: its result is the next thing read. */
const idsOf = ({ calls }: TranscriptLine): (string | null)[] =>
  calls.length === 0 ? [null] : calls.map(({ id }) => id);
const isResult = ({ kind }: TranscriptLine): boolean => kind !== 'prompt';

/** The reply without its question; null where nothing else was in it, or where a person turned its call down. */
function withoutAsk(line: TranscriptLine, isHelped: boolean): TranscriptLine | null {
  if (line.untrainable === 'rejected') return null;
  if (speaksOfExpert(line.reasoning ?? '', isHelped))
    return withoutAsk({ ...line, reasoning: null }, isHelped);
  if (line.calls.length > 1) {
    const calls = line.calls.filter(({ name }) => name !== ASK_EXPERT);
    return calls.length === line.calls.length ? line : calls.length === 0 ? null : { ...line, calls };
  }
  return line.move?.type === 'ask_expert' ? null : line;
}

const withoutReminders = (line: TranscriptLine): TranscriptLine => {
  const { content, ...rest } = withoutSegments(line, ({ type }) => EXPERTS.has(type));
  return { ...rest, content: withoutAskTool(content, line.role === 'system') };
};

const EXPERTS: ReadonlySet<string> = new Set(['nudge', 'advice', 'note']);
