// Owns: the conversation of an episode of which only the calls are known, for formats that record what happened: the
// task, each call without a word, what came back. Nothing of it is for training.
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import type { Text } from '../../../shared/events/text.ts';
import { functionTools } from './chatTools.ts';
import { safeText } from './json.ts';
import { BLANK, isByPerson, untrainable, type Line, type Story } from './line.ts';
import { storyOf } from './story.ts';
import type { Told } from './format.ts';
import { withoutAskTool, withoutExpert } from './withoutExpert.ts';

type Happened = Story & { isWordless: boolean };
export type Eventful = Happened & { isStripped: boolean };

/** The conversation, or what can be said without one. */
export function happened(told: Told): Happened {
  const spoken = storyOf(told);
  return spoken === null
    ? { ...wordless(told.record, told.whole), isWordless: true }
    : { ...spoken, isWordless: false };
}

/** The same as the rules want it: without the expert, or the rule that leaves out what does not hold without a person. */
export function eventfulStory(
  told: Told,
  { privilege }: Pick<ExportRules, 'privilege'>,
): Eventful | 'person_acted' {
  const story = happened(told);
  if (privilege !== 'strip') return { ...story, isStripped: false };
  if (story.lines.some(({ isActed }) => isActed)) return 'person_acted';
  const lines = withoutExpert(story.lines).filter((line) => line !== null);
  return { ...story, lines, tools: withoutAskTool(story.tools), isStripped: true };
}

function wordless(record: EpisodeRecord, whole: (text: Text) => string): Story {
  const task = record.reset?.task ?? null;
  const opening: Line[] =
    task === null
      ? []
      : [{ ...BLANK, kind: 'prompt', role: 'user', content: safeText(whole(task)), turn: 0 }];
  return {
    lines: [...opening, ...record.turns.flatMap((turn) => callLines(turn, record, whole))],
    tools: functionTools(record.offered.length === 0 ? record.tools : record.offered),
    isNative: true,
    isUnplaced: false,
  };
}

function callLines(turn: Turn, record: EpisodeRecord, whole: (text: Text) => string): Line[] {
  const { move, call } = turn;
  if (move === null || move.type === 'malformed') return [];
  const place = { turn: turn.turn, n: turn.n };
  const decided = call?.decision?.type;
  const reply: Line = {
    ...BLANK,
    ...place,
    kind: 'reply',
    role: 'assistant',
    by: turn.actor,
    untrainable: untrainable(turn),
    isActed: isByPerson(turn) || decided === 'edited' || decided === 'answered',
    move,
    of: turn,
  };
  if (move.type === 'final') return [{ ...reply, content: safeText(whole(move.text)) }];
  const id = `t${String(turn.turn)}`;
  const made =
    move.type === 'call_tool'
      ? { name: call?.sent?.toolName ?? move.tool_name, args: call?.sent?.arguments ?? move.arguments }
      : { name: move.type, args: move.type === 'ask_expert' ? move.arguments : {} };
  const called: Line = { ...reply, calls: [{ id, name: made.name, raw: JSON.stringify(made.args) }] };
  const returned = call?.returned ?? null;
  const text = returned === null ? null : (returned.error ?? returned.text);
  if (text === null && move.type !== 'list_tools') return [called];
  const listed = record.tools.map(({ name }) => name).join('\n');
  const content = safeText(text === null ? listed : whole(text));
  return [
    called,
    { ...BLANK, ...place, kind: 'environment', role: 'tool', answers: id, name: made.name, content },
  ];
}
