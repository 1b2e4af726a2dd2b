// Facts of an episode's record that a reward may count. Judged by what the agent proposed, never by what a person made
// of it, and only by what came from the environment. No setting enters: facts can be kept.
import { canonical } from '../../shared/canonical.ts';
import type { EpisodeRecord, Turn } from '../../shared/episode/record.ts';
import type { ToolSpec } from '../../shared/events/lifecycle.ts';
import { isReplyUnknown } from '../../shared/episode/restarts.ts';
import { isFormatError } from '../../shared/episode/turns.ts';
import { isToolError } from '../../shared/wire.ts';
import { isBlobRef, type Text } from '../../shared/events/text.ts';
import { parsePlan } from '../../shared/plan.ts';
import { lastStated } from '../../shared/calibration.ts';
import { changingDecision, hasExpired, isTouchedByPerson } from '../../shared/episode/help.ts';
import { firstHelp, helpOf, type Help } from '../../shared/episode/help.ts';

export type CallFact = {
  turn: number;
  /** Which call it is: two of the same tool with the same arguments, as the agent proposed them, share it. */
  key: number;
  outcome: 'ok' | 'failed' | 'format_error' | 'refused';
  /**
   * Whose merit it is: the agent's; a person's, who edited, answered or rejected it; the advice's, which had written it
   * out before; or that of the episode it was copied from.
   */
  by: 'agent' | 'person' | 'advice' | 'copied';
};

export type RewardFacts = {
  /** The verifier's label, run by the host. Null where it did not run. */
  label: string | null;
  /**
   * The agent's own turns: neither a take-over's nor copied ones. A client's turns without a call, such as its questions
   * and its final answer, never cross the wire: they count where its transcript tells them.
   */
  turns: number;
  /** Of these, those that could be read as a move and whose call was well formed. */
  wellFormed: number;
  /** Well-formed moves that did something for the first time: calls that went out, and the final answer. */
  moves: number;
  /** Turns the task took, whoever made them. */
  length: number;
  /** Without a call whose answer was lost in a restart, or that nobody approved in time: its worth is unknown. */
  calls: CallFact[];
  /** Turn of the first ask, or of the first step-in that changed something; null where nobody helped. */
  firstHelp: number | null;
  /** Whether anybody helped, as far as that is known. */
  help: Help['known'];
  asks: number;
  /** How sure the agent said it is, last; absent where it said nothing. */
  stated?: number;
};

/** Facts of one episode. */
export function factsOf(record: EpisodeRecord): RewardFacts {
  const { turns, tools } = record;
  const own = turns.filter((turn) => turn.actor.type === 'agent' && !turn.isCopied);
  const keys = callKeys(tools);
  const planned = plannedIn(record, keys);
  const calls = turns.flatMap((turn) => {
    if (turn.actor.type !== 'agent' || turn.move?.type !== 'call_tool') return [];
    // Of neither does anybody know what it would have come to.
    if (isReplyUnknown(turn.call) || hasExpired(turn.call)) return [];
    const key = keys(turn.move.tool_name, turn.move.arguments);
    const isPlanned = (planned.get(key) ?? Number.POSITIVE_INFINITY) < turn.turn;
    return [{ turn: turn.turn, key, ...callFate(tools, turn, isPlanned) }];
  });
  const made = new Set(
    calls.flatMap(({ key, outcome, by }) => (isCallMade(outcome) && by !== 'copied' ? [key] : [])),
  );
  // A question that reached us is a turn already.
  const asked = own.filter(({ move }) => move?.type === 'ask_expert').length;
  const stated = lastStated(turns);
  const unheard = Math.max(0, record.told.silentReplies - asked);
  return {
    label: record.verified?.reward_type ?? null,
    turns: own.length + unheard,
    wellFormed: own.filter((turn) => isWellFormed(tools, turn)).length + unheard,
    moves: made.size + (own.some(({ move }) => move?.type === 'final') ? 1 : 0),
    length: turns.length,
    calls,
    firstHelp: firstHelp(record),
    help: helpOf(record).known,
    asks: own.filter(({ move, call }) => move?.type === 'ask_expert' && (call?.refused ?? null) === null)
      .length,
    ...(stated === null ? {} : { stated }),
  };
}

const isCallMade = (outcome: CallFact['outcome']): boolean => outcome === 'ok' || outcome === 'failed';

function isWellFormed(tools: readonly ToolSpec[], turn: Turn): boolean {
  const { move, call } = turn;
  if (move === null || move.type === 'malformed') return false;
  if (call?.refused?.reason === 'malformed' || call?.refused?.reason === 'unknown_tool') return false;
  return !isFormatError(tools, move, changingDecision(turn), call?.returned ?? null);
}

function callFate(
  tools: readonly ToolSpec[],
  turn: Turn,
  isPlanned: boolean,
): Pick<CallFact, 'outcome' | 'by'> {
  const outcome = callOutcome(tools, turn);
  if (turn.isCopied) return { outcome, by: 'copied' };
  const decision = changingDecision(turn)?.type ?? null;
  const isChanged = decision === 'edited' || decision === 'rejected' || decision === 'answered';
  if (isChanged || isTouchedByPerson(turn)) return { outcome, by: 'person' };
  return { outcome, by: isPlanned ? 'advice' : 'agent' };
}

function callOutcome(tools: readonly ToolSpec[], turn: Turn): CallFact['outcome'] {
  if (!isWellFormed(tools, turn)) return 'format_error';
  if ((turn.call?.refused ?? null) !== null) return 'refused';
  const returned = turn.call?.returned ?? null;
  // Of a call that a person put another in the place of, nothing is known but its form.
  if (returned === null) return 'failed';
  return isToolError(returned.error, returned.reward_type) ? 'failed' : 'ok';
}

/** A number for a call: the same for the same tool with the same arguments, whatever their order. */
type CallKeys = (tool: string, args: Readonly<Record<string, unknown>>) => number;

/** Arguments a tool does not have are left out: they change nothing, and would make a repeat look new. */
function callKeys(tools: readonly ToolSpec[]): CallKeys {
  const known = new Map(tools.map((tool) => [tool.name, propertiesOf(tool)]));
  const keys = new Map<string, number>();
  return (tool, args) => {
    const names = known.get(tool) ?? null;
    const counted =
      names === null ? args : Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name)));
    const text = canonical([tool, counted]);
    const key = keys.get(text) ?? keys.size;
    keys.set(text, key);
    return key;
  };
}

function propertiesOf({ input_schema: schema }: ToolSpec): ReadonlySet<string> | null {
  const properties = schema['properties'];
  const isOpen = schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false;
  if (typeof properties !== 'object' || properties === null || isOpen) return null;
  return new Set(Object.keys(properties));
}

/**
 * Calls that advice or a note named, each with the earliest turn it was read at. Advice too long to stand in the log
 * itself is not looked into.
 */
function plannedIn({ consultations, messages, notes }: EpisodeRecord, keys: CallKeys): Map<number, number> {
  const said: { text: Text; turn: number }[] = [
    ...consultations.flatMap(({ delivered, turn }) =>
      delivered === null || (delivered.as !== 'advice' && delivered.as !== 'draft')
        ? []
        : [{ text: delivered.text, turn }],
    ),
    ...messages.flatMap(({ origin, content, turn }) =>
      origin === 'advice' ? [{ text: content, turn }] : [],
    ),
    // A note is read with the turn it was delivered to.
    ...notes.flatMap(({ text, deliveredTurn }) =>
      deliveredTurn === null ? [] : [{ text, turn: deliveredTurn - 1 }],
    ),
  ];
  const planned = new Map<number, number>();
  for (const { text, turn } of said) {
    if (isBlobRef(text)) continue;
    for (const { tool, args } of parsePlan(text).calls) {
      const key = keys(tool, args);
      planned.set(key, Math.min(planned.get(key) ?? turn, turn));
    }
  }
  return planned;
}
