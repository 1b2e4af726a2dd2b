// What waits, as the lines of the command palette. Pure.
import type { DeskItem, HoldItem } from '../../../shared/contract/rows.ts';
import { textHead } from '../../../shared/events/text.ts';
import { callSentence } from '../../../shared/sentences/sentence.ts';
import { holdKey } from '../../parts/desk/deskQueue.ts';
import { taskPlace, taskWords } from '../../parts/episode/taskTitle.ts';

type WaitingLine = { key: string; text: string; place: string; since: number };

/** Oldest first, of every kind. */
export const paletteWaiting = ({
  items,
  holds,
}: {
  items: readonly DeskItem[];
  holds: readonly HoldItem[];
}): WaitingLine[] =>
  [...items.map(questionLine), ...holds.map(holdLine)].toSorted((a, b) => a.since - b.since);

const taskOf = ({ task, ...place }: DeskItem | HoldItem): string =>
  taskWords({ ...place, task: task === null ? null : textHead(task) }, place.episode);

const questionLine = (item: DeskItem): WaitingLine => ({
  key: item.consultation,
  text: item.question === null ? taskOf(item) : textHead(item.question),
  place: taskPlace(item, item.episode),
  since: item.asked_at,
});

/** `Set the status of workflow 101 to active`; of a stopped episode its task. */
function holdLine(hold: HoldItem): WaitingLine {
  const call = hold.call ?? hold.doubt ?? null;
  return {
    key: holdKey(hold),
    text: call === null ? taskOf(hold) : callSentence({ name: call.tool_name }, call.arguments).text,
    place: taskPlace(hold, hold.episode),
    since: hold.since,
  };
}
