// Owns: whether the agent did what an advice asked for: its calls, matched in order with the calls that came after.
import { textHead, isBlobRef } from '../events/text.ts';
import type { Consultation, EpisodeRecord, Turn } from './record.ts';
import { parsePlan } from '../plan.ts';

export type Uptake = {
  /** Calls the advice names. */
  planned: number;
  /** Of these, made later with the same arguments, in this order. */
  followed: number;
  /** Made later with other arguments. */
  changed: number;
};

/** Null when there is nothing to compare: no calls in the advice, or nothing done since. */
export function uptakeOf(record: EpisodeRecord, { id, decision, turn }: Consultation): Uptake | null {
  if (decision?.type !== 'approved' || isBlobRef(decision.text)) return null;
  const { calls } = parsePlan(textHead(decision.text));
  const until = nextAsk(record, id);
  const made = record.turns.filter((t) => t.turn > turn && t.turn < until && t.move?.type === 'call_tool');
  if (calls.length === 0 || made.length === 0) return null;
  let at = 0;
  let followed = 0;
  let changed = 0;
  for (const call of calls) {
    const same = made.findIndex((t, index) => index >= at && matches(t, call.tool, call.args));
    const near = made.findIndex((t, index) => index >= at && toolOf(t) === call.tool);
    if (same !== -1) followed += 1;
    else if (near !== -1) changed += 1;
    const hit = same === -1 ? near : same;
    if (hit !== -1) at = hit + 1;
  }
  return { planned: calls.length, followed, changed };
}

/** `followed`, `followed 2 of 3 calls`, `not followed`. */
export function uptakeWords({ planned, followed, changed }: Uptake): string {
  if (followed === planned) return planned === 1 ? 'followed' : `followed, ${String(planned)} calls`;
  if (followed === 0 && changed === 0) return 'not followed';
  const other = changed === 0 ? '' : `, ${String(changed)} with other arguments`;
  return `followed ${String(followed)} of ${String(planned)}${other}`;
}

function nextAsk({ consultations }: EpisodeRecord, id: string): number {
  const index = consultations.findIndex((consultation) => consultation.id === id);
  return consultations[index + 1]?.turn ?? Number.POSITIVE_INFINITY;
}

const argsOf = ({ call, move }: Turn): unknown =>
  call?.sent?.arguments ?? (move?.type === 'call_tool' ? move.arguments : {});
const toolOf = ({ call, move }: Turn): string =>
  call?.sent?.toolName ?? (move?.type === 'call_tool' ? move.tool_name : '');
const matches = (turn: Turn, tool: string, args: unknown): boolean =>
  toolOf(turn) === tool && canonical(argsOf(turn)) === canonical(args);

/** JSON with its names in order, so that `{a,b}` equals `{b,a}`. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
