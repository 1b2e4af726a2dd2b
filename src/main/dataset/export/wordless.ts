// The conversation of an episode of which only the calls are known, for formats that record what happened: the task,
// each call, what came back. None of it is for training.
import type { ExportRules } from '../../../shared/contract/export.ts';
import { mayBeHelped } from '../../../shared/episode/help.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import type { Text } from '../../../shared/events/text.ts';
import { functionTools } from './chatTools.ts';
import { safeText } from './json.ts';
import { BLANK, isByPerson, untrainable, type TranscriptLine, type Transcript } from './transcriptLine.ts';
import { transcriptOf } from './transcript.ts';
import type { EpisodeInput } from './format.ts';
import { toolsWithoutAsk, withoutExpert } from './withoutExpert.ts';

type RecordedTranscript = Transcript & { isWordless: boolean };
export type RecordedConversation = RecordedTranscript & { isStripped: boolean };

/** The conversation, or what can be said without one. */
export function recordedTranscript(input: EpisodeInput): RecordedTranscript {
  const spoken = transcriptOf(input);
  return spoken === null
    ? { ...wordless(input.record, input.loadText), isWordless: true }
    : { ...spoken, isWordless: false };
}

/** The same as the rules want it: without the expert, or the rule that leaves out what does not hold without a person. */
export function recordedConversation(
  input: EpisodeInput,
  { privilege }: Pick<ExportRules, 'privilege'>,
): RecordedConversation | 'person_acted' {
  const transcript = recordedTranscript(input);
  if (privilege !== 'strip') return { ...transcript, isStripped: false };
  if (transcript.lines.some(({ isActed }) => isActed)) return 'person_acted';
  const lines = withoutExpert(transcript.lines, mayBeHelped(input.record)).filter((line) => line !== null);
  return { ...transcript, lines, tools: toolsWithoutAsk(transcript.tools), isStripped: true };
}

function wordless(record: EpisodeRecord, loadText: (text: Text) => string): Transcript {
  const task = record.reset?.task ?? null;
  const opening: TranscriptLine[] =
    task === null
      ? []
      : [{ ...BLANK, kind: 'prompt', role: 'user', content: safeText(loadText(task)), turn: 0 }];
  return {
    lines: [...opening, ...record.turns.flatMap((turn) => linesOfCall(turn, record, loadText))],
    tools: functionTools(record.offered.length === 0 ? record.tools : record.offered),
    isNative: true,
    isUnplaced: false,
  };
}

function linesOfCall(turn: Turn, record: EpisodeRecord, loadText: (text: Text) => string): TranscriptLine[] {
  const { move, call } = turn;
  if (move === null || move.type === 'malformed') return [];
  const place = { turn: turn.turn, n: turn.n };
  const decided = call?.decision?.type;
  const reply: TranscriptLine = {
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
  if (move.type === 'final') return [{ ...reply, content: safeText(loadText(move.text)) }];
  const id = `t${String(turn.turn)}`;
  const made =
    move.type === 'call_tool'
      ? { name: call?.sent?.toolName ?? move.tool_name, args: call?.sent?.arguments ?? move.arguments }
      : { name: move.type, args: move.type === 'ask_expert' ? move.arguments : {} };
  const called: TranscriptLine = {
    ...reply,
    calls: [{ id, name: made.name, raw: JSON.stringify(made.args) }],
  };
  const returned = call?.returned ?? null;
  const text = returned === null ? null : (returned.error ?? returned.text);
  if (text === null && move.type !== 'list_tools') return [called];
  const listed = record.tools.map(({ name }) => name).join('\n');
  const content = safeText(text === null ? listed : loadText(text));
  return [
    called,
    { ...BLANK, ...place, kind: 'environment', role: 'tool', answers: id, name: made.name, content },
  ];
}
