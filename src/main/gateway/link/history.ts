// What a tapped episode's agent did and read, and what a client's request quotes, in a form the two can be compared
// in. Pure.
import { isAtSeat } from '../../../shared/events/actor.ts';
import { canonical } from '../../../shared/canonical.ts';
import { textHead } from '../../../shared/events/text.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { RESERVED_TOOLS } from '../../../shared/wire.ts';
import { readMove } from '../../agent/readMove.ts';

/** A call and what came back for it. `args` and `result` are plain: see `plain`. */
export type HistoryStep = { tool: string; key: string; args: string; result: string };
export type History = {
  episode: string;
  steps: HistoryStep[];
  /** False for an episode that asks nothing now: it is over, or waits for a result or an answer. */
  mayAsk: boolean;
};

/** A message of a request. */
export type QuotedMessage = {
  role: string;
  text: string;
  toolCallId: string | null;
  calls: { id: string; name: string; arguments: string }[];
};
export type QuotedHistory = {
  /** Everything the request says, plain. */
  text: string;
  /** The calls that its messages hold as calls, with the results that answer them. */
  steps: HistoryStep[];
};

/** So much of a request is compared: its end, where the newest is. */
const TEXT_MAX = 400_000;

/** Text without what quoting changes: case, white space, escapes, quotes, braces; `x=1` reads as `x: 1`. */
const plainText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/(?<!\\)\\+u([0-9a-f]{4})/g, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/(?<!\\)\\+[nrt]/g, '')
    .replace(/[\s"'`\\{}]+/g, '')
    .replaceAll('=', ':')
    .replace(/\bnone\b/g, 'null');

const stepOf = (tool: string, args: Record<string, unknown>, result: string): HistoryStep => ({
  tool: plainText(tool),
  key: `${tool}\n${canonical(args)}`,
  args: plainText(JSON.stringify(args)),
  result: plainText(result),
});

/** Of calls that were answered: what is compared is made once, and not again for each question of a crowd. */
const steps = new WeakMap<NonNullable<Turn['call']>, HistoryStep>();
/** Rollouts of one task make the same calls: one object for all that read alike, so that each is looked for once. */
const alike = new Map<string, HistoryStep>();
const ALIKE_MAX = 10_000;

function shared(step: HistoryStep): HistoryStep {
  const words = `${step.key}\n${step.result}`;
  const known = alike.get(words);
  if (known !== undefined) return known;
  if (alike.size >= ALIKE_MAX) alike.clear();
  alike.set(words, step);
  return step;
}

function stepOfCall(
  tool: string,
  args: Record<string, unknown>,
  call: NonNullable<Turn['call']>,
): HistoryStep | null {
  const known = steps.get(call);
  if (known !== undefined) return known;
  const result = stepResult(call);
  if (result === null) return null;
  const step = shared(stepOf(tool, args, result));
  steps.set(call, step);
  return step;
}

const histories = new WeakMap<EpisodeRecord, History>();

/** The client's own calls that were answered, oldest first. A record never changes: it is read once. */
export function historyOf(record: EpisodeRecord): History {
  const known = histories.get(record);
  if (known !== undefined) return known;
  const history = readHistory(record);
  histories.set(record, history);
  return history;
}

function readHistory(record: EpisodeRecord): History {
  const { turns, ended, reset, consultations } = record;
  const own = turns.filter(({ actor, move }) => !isAtSeat(actor) && move?.type === 'call_tool');
  const isBusy = own.some(({ call }) => call !== null && call.sent !== null && stepResult(call) === null);
  const isWaiting = consultations.some(({ decision, via }) => decision === null && via !== 'loop');
  return {
    episode: record.id,
    steps: own.flatMap(({ move, call }) => {
      if (move?.type !== 'call_tool' || call === null || RESERVED_TOOLS.has(move.tool_name)) return [];
      return stepOfCall(move.tool_name, move.arguments, call) ?? [];
    }),
    mayAsk: ended === null && reset !== null && !isBusy && !isWaiting,
  };
}

/** What the client read; null while it waits. Of a long text its beginning is enough. */
function stepResult({ returned, decision, refused }: NonNullable<Turn['call']>): string | null {
  if (decision?.type === 'answered') return textHead(decision.text);
  if (decision?.type === 'rejected') return decision.reason;
  if (returned !== null) return textHead(returned.error ?? returned.text ?? '');
  return refused === null ? null : refused.text;
}

/** What a request quotes: its words, and the calls among its messages. */
export function quotedIn(messages: readonly QuotedMessage[], more = ''): QuotedHistory {
  const words = [...messages.map(({ text }) => text), more].join('\n');
  return { text: plainText(words.slice(-TEXT_MAX)), steps: stepsIn(messages) };
}

function stepsIn(messages: readonly QuotedMessage[]): HistoryStep[] {
  const found: { id: string; tool: string; args: Record<string, unknown>; result: string | null }[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const call of quotedCalls(message)) found.push({ ...call, result: null });
      continue;
    }
    if (message.role === 'system' || message.role === 'developer') continue;
    const open = found.filter(({ result }) => result === null);
    const at = open.find(({ id }) => id !== '' && id === message.toolCallId) ?? open[0];
    if (at !== undefined) at.result = message.text;
  }
  return found.flatMap(({ tool, args, result }) => (result === null ? [] : [stepOf(tool, args, result)]));
}

/** Calls beside the text, or the one written into it. What never goes to an environment is left out. */
function quotedCalls({
  text,
  calls,
}: QuotedMessage): { id: string; tool: string; args: Record<string, unknown> }[] {
  const blank = { reasoning: null, model: null, stopReason: null, usage: null };
  const replies =
    calls.length > 0
      ? calls.map((call) => ({ id: call.id, reply: { ...blank, content: '', toolCalls: [call] } }))
      : [{ id: '', reply: { ...blank, content: text, toolCalls: [] } }];
  return replies.flatMap(({ id, reply }) => {
    const protocol = calls.length > 0 ? 'native' : 'xml';
    const { move } = readMove(reply, { protocol, tools: [] });
    if (move.type !== 'call_tool' || RESERVED_TOOLS.has(move.tool_name)) return [];
    return [{ id, tool: move.tool_name, args: move.arguments }];
  });
}
