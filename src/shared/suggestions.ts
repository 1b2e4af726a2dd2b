// The rule that suggests a running episode to a person although nobody asked. Pure.
import type { EpisodeRecord, Turn } from './episode/record.ts';
import type { Suggestion, SuggestionReason } from './events/stepIns.ts';
import { toolWords } from './sentences/words.ts';
import { isToolError } from './wire.ts';

/** The rule's numbers. A run of this length is one step of trouble, twice the length two, and so on. */
export const SUGGESTION_LIMITS = {
  /** Calls in a row that failed or were refused. */
  errors: 3,
  /** Times that one call was made with the same arguments, among the last `window` turns. */
  repeats: 3,
  window: 12,
  /** Turns in a row without a tool that the agent had not used before. */
  stall: 12,
} as const;

/**
 * True if help would change what is measured: an episode of a bench, a continuation that measures what an answer was
 * worth, a probe, and the condition without an expert.
 */
export const isMeasured = ({ started }: EpisodeRecord): boolean =>
  started?.condition === 'none' ||
  started?.bench !== undefined ||
  started?.lift !== undefined ||
  started?.probe !== undefined;

/** The rule's suggestion since the last question; null while the agent waits, a person acts, or nothing is wrong. */
export function suggestionFor(record: EpisodeRecord): Suggestion | null {
  if (record.status !== 'running' || record.phase !== 'autonomous' || isMeasured(record)) return null;
  const helped = record.consultations.at(-1)?.turn ?? 0;
  const firstUnhelped = record.turns.findLastIndex(({ turn }) => turn <= helped) + 1;
  const unhelped = record.turns.slice(firstUnhelped);
  const reasons = [
    errorsInRow(unhelped),
    repeatedCall(unhelped),
    stalled(record.turns, unhelped.length),
  ].filter((reason) => reason !== null);
  const level = reasons.reduce(
    (sum, { rule, count }) => sum + Math.floor(count / SUGGESTION_LIMITS[rule]),
    0,
  );
  return reasons.length === 0 ? null : { level, reasons };
}

/** The same, unless a person answered as much trouble already: by stepping in or by dismissing it. */
export function openSuggestion(record: EpisodeRecord): Suggestion | null {
  const found = suggestionFor(record);
  return found === null || found.level <= record.suggested.answered ? null : found;
}

const reasonAbove = (
  rule: SuggestionReason['rule'],
  count: number,
  tool_name: string | null = null,
): SuggestionReason | null => (count < SUGGESTION_LIMITS[rule] ? null : { rule, count, tool_name });

const isOwnCall = ({ actor, call }: Turn): boolean => actor.type !== 'human' && call !== null;

function errorsInRow(turns: readonly Turn[]): SuggestionReason | null {
  let count = 0;
  for (let at = turns.length - 1; at >= 0; at -= 1) {
    const { refused = null, returned = null } = turns[at]?.call ?? {};
    if (returned !== null && !isFailed(returned)) break;
    if (refused !== null || returned !== null) count += 1;
  }
  return reasonAbove('errors', count);
}

const isFailed = ({ error, reward_type }: { error: unknown; reward_type: string | null }): boolean =>
  isToolError(error, reward_type);

type SentCall = NonNullable<NonNullable<Turn['call']>['sent']>;

/** Read with each event of an episode, made once. */
const namesOfCalls = new WeakMap<SentCall, string>();

function nameOfCall(sent: SentCall): string {
  const known = namesOfCalls.get(sent);
  if (known !== undefined) return known;
  const name = JSON.stringify([sent.toolName, sent.arguments]);
  namesOfCalls.set(sent, name);
  return name;
}

function repeatedCall(turns: readonly Turn[]): SuggestionReason | null {
  const counts = new Map<string, { count: number; tool_name: string }>();
  let most: { count: number; tool_name: string } | null = null;
  for (const { call } of turns.slice(-SUGGESTION_LIMITS.window).filter(isOwnCall)) {
    const sent = call?.sent ?? null;
    if (sent === null) continue;
    const name = nameOfCall(sent);
    const one = { count: (counts.get(name)?.count ?? 0) + 1, tool_name: sent.toolName };
    counts.set(name, one);
    if (one.count > (most?.count ?? 0)) most = one;
  }
  return most === null ? null : reasonAbove('repeats', most.count, most.tool_name);
}

function stalled(turns: readonly Turn[], max: number): SuggestionReason | null {
  const known = new Set<string>();
  let since = 0;
  for (const { call } of turns) {
    const name = call?.sent?.toolName ?? null;
    since = name !== null && !known.has(name) ? 0 : since + 1;
    if (name !== null) known.add(name);
  }
  return reasonAbove('stall', Math.min(since, max));
}

/** In words: `3 errors in a row`. */
export function reasonText({ rule, count, tool_name: tool }: SuggestionReason): string {
  switch (rule) {
    case 'errors':
      return `${String(count)} errors in a row`;
    case 'repeats':
      return `made the same call${tool === null ? '' : ` to ${toolWords(tool)}`} ${String(count)} times`;
    case 'stall':
      return `tried nothing new for ${String(count)} turns`;
  }
}
