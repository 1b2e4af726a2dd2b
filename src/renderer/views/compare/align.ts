// Aligns the steps of two episodes: the common beginning first, then the longest common run of calls with the same tool
// and arguments; what lies between is paired by tool, in order. Pure.
import { canonical } from '../../../shared/canonical.ts';
import { isSame } from '../../../shared/drift.ts';
import type { Text } from '../../../shared/events/text.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { digestOf, isHeavyProse, parseTextAddress, resultDigest } from '../../state/putAway.ts';

export type Difference = 'same' | 'result' | 'arguments' | 'left' | 'right';
export type TurnPair = { left: Turn | null; right: Turn | null; difference: Difference };
export type Alignment = {
  pairs: TurnPair[];
  /** Steps at the beginning that both made alike. */
  common: number;
  /** False when the episodes were too long for the longest run: the rest is paired by its place. */
  isWhole: boolean;
};

/** Cells of the table in which the longest common run is found: 16 MB. */
const CELLS_MAX = 4_000_000;

/** A step's action, alike in both when the same was done. */
function actionOf({ move, call, content }: Turn): string {
  const sent = call?.sent ?? null;
  if (sent !== null) return `call ${sent.toolName} ${canonical(sent.arguments)}`;
  switch (move?.type) {
    case 'call_tool':
      return `call ${move.tool_name} ${canonical(move.arguments)}`;
    case 'final':
      return `final ${comparableText(move.text)}`;
    case 'list_tools':
    case 'ask_expert':
      return move.type;
    default:
      return `reply ${comparableText(content)}`;
  }
}

const toolName = ({ move, call }: Turn): string =>
  call?.sent?.toolName ?? (move?.type === 'call_tool' ? move.tool_name : (move?.type ?? 'reply'));

const resultOrNull = ({ call }: Turn): Text | null =>
  call?.returned?.error ?? call?.returned?.text ?? call?.refused?.text ?? null;

/** True if two results are the same; of texts that are not at hand, by what is known of the whole. */
function isSameResult(one: Text | null, other: Text | null): boolean {
  if (one === null || other === null) return one === other;
  if (typeof one === 'string' && typeof other === 'string') return isSame(one, other);
  return keyOf(one, resultDigest) === keyOf(other, resultDigest);
}

const keyOf = (text: Text, digest: (text: string) => string): string =>
  typeof text === 'string' ? digest(text) : (parseTextAddress(text.$blob)?.digest ?? text.$blob);

/** Words as they are, or what stands for long ones: in one of two episodes they may have been put away. */
const comparableText = (text: Text): string =>
  typeof text === 'string' && !isHeavyProse(text) ? text : keyOf(text, digestOf);

export function align(left: EpisodeRecord, right: EpisodeRecord): Alignment {
  const [a, b] = [left.turns, right.turns];
  const [actionsA, actionsB] = [a.map(actionOf), b.map(actionOf)];
  let common = 0;
  while (common < Math.min(a.length, b.length) && actionsA[common] === actionsB[common]) common += 1;
  const rest = { a: actionsA.slice(common), b: actionsB.slice(common) };
  const isWhole = rest.a.length * rest.b.length <= CELLS_MAX;
  const anchors = isWhole ? longestCommon(rest.a, rest.b) : [];
  const pairs: TurnPair[] = [];
  for (let i = 0; i < common; i += 1) pairs.push(pairOf(a[i] ?? null, b[i] ?? null));
  let [fromA, fromB] = [common, common];
  for (const [i, j] of [...anchors, [rest.a.length, rest.b.length] as const]) {
    const [toA, toB] = [common + i, common + j];
    pairs.push(...between(a.slice(fromA, toA), b.slice(fromB, toB), !isWhole));
    const [one, other] = [a[toA], b[toB]];
    if (one !== undefined && other !== undefined) pairs.push(pairOf(one, other));
    [fromA, fromB] = [toA + 1, toB + 1];
  }
  return { pairs, common, isWhole };
}

/** Places of the longest run of calls that both hold in the same order. */
function longestCommon(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const places: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      places.push([i, j]);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return places;
}

/** Steps between two that are alike: the same tool called with other arguments is one step that differs. */
function between(a: readonly Turn[], b: readonly Turn[], isByPlace: boolean): TurnPair[] {
  const pairs: TurnPair[] = [];
  let j = 0;
  for (const [i, left] of a.entries()) {
    const found = isByPlace
      ? i < b.length
        ? i
        : -1
      : b.findIndex((one, k) => k >= j && toolName(one) === toolName(left));
    if (found === -1) {
      pairs.push({ left, right: null, difference: 'left' });
      continue;
    }
    for (const right of b.slice(j, found)) pairs.push({ left: null, right, difference: 'right' });
    pairs.push(pairOf(left, b[found] ?? null));
    j = found + 1;
  }
  for (const right of b.slice(j)) pairs.push({ left: null, right, difference: 'right' });
  return pairs;
}

function pairOf(left: Turn | null, right: Turn | null): TurnPair {
  if (left === null || right === null) {
    return { left, right, difference: left === null ? 'right' : 'left' };
  }
  if (actionOf(left) !== actionOf(right)) return { left, right, difference: 'arguments' };
  const same = isSameResult(resultOrNull(left), resultOrNull(right));
  return { left, right, difference: same ? 'same' : 'result' };
}
