// Owns: which words of an event are searched, and as what kind of text. Pure.
import type { HitKind } from '../../shared/contract/library.ts';
import type { Text } from '../../shared/events/text.ts';
import type { LogEvent } from '../../shared/events/vocabulary.ts';

export type SearchTexts = { kind: HitKind; texts: readonly Text[] };

/** Messages whose words stand in no other event: what else an agent read is a result, advice or a note. */
const ORIGINAL: ReadonlySet<string> = new Set(['prompt', 'notice']);

/**
 * The texts of an event that are searched; null for one that has none of its own. What the log holds twice is searched
 * once: a frame and the message an agent read repeat the result, a call that was sent repeats the one proposed.
 */
export function searchTexts(event: LogEvent): SearchTexts | null {
  switch (event.kind) {
    case 'environment.reset':
      return given('task', [event.task, event.scenario, event.warning]);
    case 'episode.imported':
      return given('task', [event.task, event.source.name]);
    case 'message.added':
      return ORIGINAL.has(event.origin) || event.alone === true ? given('message', [event.content]) : null;
    case 'turn.generated':
    case 'turn.transcribed':
      return given('message', [event.content, event.reasoning]);
    case 'move.proposed':
      return moveTexts(event.move);
    case 'call.edited':
      return given('call', [event.tool_name, JSON.stringify(event.arguments), event.reason]);
    case 'call.returned':
      return given('result', [event.text, event.error]);
    case 'call.refused':
    case 'call.answered':
      return given('result', [event.text]);
    case 'verifier.ran':
      return given('result', [event.final_answer, event.error]);
    case 'episode.ended':
      return given('result', [event.reason, event.failure?.message]);
    case 'consultation.asked':
      return given('advice', [event.task, event.question]);
    case 'advice.drafted':
    case 'advice.approved':
    case 'advice.late':
      return given('advice', [event.text]);
    case 'advice.declined':
      return given('advice', [event.reason]);
    default:
      return noteTexts(event);
  }
}

function moveTexts(move: Extract<LogEvent, { kind: 'move.proposed' }>['move']): SearchTexts | null {
  if (move.type === 'call_tool') return given('call', [move.tool_name, JSON.stringify(move.arguments)]);
  // A question and a final answer stand in the reply, and in events of their own.
  return null;
}

/** What people wrote about an episode, whatever the event calls it. */
const NOTE_FIELDS = ['text', 'comment', 'reason', 'note', 'value'] as const;
const NOTE_KINDS =
  /^(note\.interjected|call\.rejected|stop\.requested|phase\.changed|correction\.discarded|tags\.changed|annotation\.|label\.|preference\.|correction\.)/;

function noteTexts(event: LogEvent): SearchTexts | null {
  if (!NOTE_KINDS.test(event.kind)) return null;
  if (event.kind === 'tags.changed') return given('note', event.added);
  const fields: Record<string, unknown> = event;
  return given(
    'note',
    NOTE_FIELDS.map((field) => fields[field]).filter((value) => isText(value)),
  );
}

const isText = (value: unknown): value is Text =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && '$blob' in value);

function given(kind: HitKind, texts: readonly (Text | null | undefined)[]): SearchTexts | null {
  const there = texts.flatMap((text) => (text === null || text === undefined || text === '' ? [] : [text]));
  return there.length === 0 ? null : { kind, texts: there };
}
