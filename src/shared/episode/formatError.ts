// Owns: whether a call is badly formed by the tools that were listed. For calls whose fate on the environment's side was
// another call's: what the agent proposed is judged, never what a person made of it. Pure.
import type { ToolSpec } from '../events/lifecycle.ts';
import type { Move } from '../events/turns.ts';
import { RewardType } from '../wire.ts';
import type { Call } from './record.ts';

/**
 * Whether the agent's call was a format error: by the environment's label of it, or, where a person put another in its
 * place, by the tools.
 */
export function isFormatError(
  tools: readonly ToolSpec[],
  move: Move | null,
  decision: Call['decision'],
  label: string | null,
): boolean {
  const isReplaced = decision !== null && REPLACES.has(decision.type);
  return isReplaced ? isBadlyFormed(tools, move) : RewardType.formatErrors.has(label ?? '');
}

const REPLACES: ReadonlySet<NonNullable<Call['decision']>['type']> = new Set([
  'edited',
  'rejected',
  'answered',
]);

/** An unknown tool, or one of its required arguments missing. Without a listing nothing is known to be wrong. */
function isBadlyFormed(tools: readonly ToolSpec[], move: Move | null): boolean {
  if (move?.type !== 'call_tool' || tools.length === 0) return false;
  const tool = tools.find(({ name }) => name === move.tool_name);
  if (tool === undefined) return true;
  const required: unknown = tool.input_schema['required'];
  return (
    Array.isArray(required) &&
    required.some((key: unknown) => typeof key === 'string' && !Object.hasOwn(move.arguments, key))
  );
}
