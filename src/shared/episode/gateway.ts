// Folding what a foreign client's episode adds: how it is tapped, what is missing, what a person changed.
import type { Text } from '../events/text.ts';
import type { EventOf } from '../events/vocabulary.ts';
import { parseJson } from '../json.ts';
import { changeTurn, withItem, type FoldStep } from './change.ts';
import type { EpisodeRecord } from './record.ts';
import { readToldHelp } from './toldHelp.ts';

export type GatewayEvent = EventOf<
  | 'tap.opened'
  | 'frame.passed'
  | 'recording.gap'
  | 'turn.touched'
  | 'ask.leaked'
  | 'turn.transcribed'
  | 'conversation.told'
>;

export function foldGateway(record: EpisodeRecord, step: FoldStep, event: GatewayEvent): EpisodeRecord {
  switch (event.kind) {
    case 'tap.opened':
      return withItem({ ...record, tapped: event }, step, { type: 'tapped' });
    case 'frame.passed':
      return withItem(record, step, { type: 'frame', direction: event.direction, frame: event.frame });
    case 'recording.gap':
      return withItem(withCounts(record, { lostFrames: event.frames }), step, {
        type: 'gap',
        fromAt: event.from_at,
        toAt: event.to_at,
        frames: event.frames,
        reason: event.reason,
      });
    case 'turn.touched':
      return withItem(
        changeTurn(
          record,
          step,
          ({ turn }) => turn === event.turn,
          (turn) => ({ ...turn, touched: event.touch }),
        ),
        step,
        { type: 'touched', turn: event.turn, touch: event.touch },
      );
    case 'ask.leaked':
      return withItem(withCounts(record, { leaks: 1 }), step, { type: 'leaked', turn: event.turn });
    case 'turn.transcribed':
      return transcribed(record, step, event);
    case 'conversation.told':
      return conversationTold(record, event);
  }
}

/** An earlier telling is not taken back by telling less. */
function conversationTold(record: EpisodeRecord, event: EventOf<'conversation.told'>): EpisodeRecord {
  const { messages, follows, ...rest } = event;
  const before = follows === true ? record : null;
  const tools = new Set(record.tools.map(({ name }) => name));
  const read = typeof messages === 'string' ? readToldHelp(messages, tools) : null;
  const told = {
    hasAsk: record.told.hasAsk || read?.hasAsk === true,
    hasAdvice: record.told.hasAdvice || read?.hasAdvice === true,
    ownTools: [...new Set([...record.told.ownTools, ...(read?.ownTools ?? [])])],
    calls:
      read === null || before?.told.calls === null ? null : [...(before?.told.calls ?? []), ...read.calls],
    silentReplies: (before?.told.silentReplies ?? 0) + (read?.silentReplies ?? 0),
  };
  const conversation = { ...rest, messages: [...(before?.conversation?.messages ?? []), messages] };
  return { ...record, conversation, told };
}

/** The messages that were told, in order; undefined where they cannot be read, as after an erasure. */
export function toldMessages(
  { messages }: { messages: readonly Text[] },
  loadText: (text: Text) => string,
): unknown[] | undefined {
  try {
    const lists = messages.map((text) => parseJson(loadText(text)));
    return lists.every((list) => Array.isArray(list)) ? lists.flat() : undefined;
  } catch {
    return undefined;
  }
}

const withCounts = (
  record: EpisodeRecord,
  by: Partial<Pick<EpisodeRecord['counts'], 'leaks' | 'lostFrames'>>,
): EpisodeRecord => ({
  ...record,
  counts: {
    ...record.counts,
    leaks: record.counts.leaks + (by.leaks ?? 0),
    lostFrames: record.counts.lostFrames + (by.lostFrames ?? 0),
  },
});

/** The text of a turn of which only the call was known; a turn that has its own words keeps them. */
function transcribed(
  record: EpisodeRecord,
  step: FoldStep,
  event: EventOf<'turn.transcribed'>,
): EpisodeRecord {
  const turn = record.turns.find((one) => one.turn === event.turn);
  if (turn === undefined || turn.hasText) return record;
  const said = record.messages.findIndex(({ role, turn: at }) => role === 'assistant' && at === event.turn);
  const message = record.messages[said];
  const withText = changeTurn(
    record,
    step,
    (one) => one.turn === event.turn,
    (one) => ({
      ...one,
      content: event.content,
      reasoning: event.reasoning,
      toolCalls: event.tool_calls,
      model: event.model,
      usage: event.usage,
      hasText: true,
    }),
  );
  if (message === undefined) return withText;
  return {
    ...withText,
    messages: step.lists.replace(withText.messages, said, {
      ...message,
      content: event.content,
      toolCalls: event.tool_calls,
      full_length: event.content.length,
    }),
  };
}
