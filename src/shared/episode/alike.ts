// Which questions are alike: asked in the same task of one environment right after the same call failed. Pure.
import { environmentKey } from '../environmentKinds.ts';
import { parseJson } from '../json.ts';
import { isToolError } from '../wire.ts';
import type { Call, EpisodeRecord, Turn } from './record.ts';
import { taskRef } from './taskRef.ts';

/** A task without a number is known by its words. */
type Alike = [environment: string, scenario: string, task: unknown, tool: string | null, sent: unknown];

/** What alike questions share; `before`: the turn of the question. */
export function alikeKey(record: EpisodeRecord, before: number): string {
  const { started, reset } = record;
  const { scenario, task_idx: task } = taskRef({ reset, started });
  const failed = failedBefore(record, before);
  const key: Alike = [
    started === null ? '' : environmentKey(started.environment),
    scenario ?? '',
    task ?? reset?.task ?? -1,
    failed?.tool ?? null,
    failed?.sent ?? null,
  ];
  return JSON.stringify(key);
}

/** The tool whose call failed before the questions that share a key; null where none failed: those are not alike. */
export function failedToolOf(key: string): string | null {
  const [, , , tool] = parseJson(key) as Alike;
  return tool;
}

/** The last call since the question before this one, if it failed. */
function failedBefore(
  { turns, consultations }: EpisodeRecord,
  before: number,
): { tool: string; sent: unknown } | null {
  const asked = consultations.findLast(({ turn }) => turn < before)?.turn ?? 0;
  const last = turns.findLast(({ turn, call }) => turn > asked && turn < before && call !== null);
  if (last === undefined || last.call === null || !hasFailed(last.call)) return null;
  return { tool: last.call.sent?.toolName ?? last.call.toolName, sent: argumentsOf(last, last.call) };
}

const hasFailed = ({ refused, returned }: Call): boolean =>
  refused !== null || (returned !== null && isToolError(returned.error, returned.reward_type));

const argumentsOf = ({ move }: Turn, { sent }: Call): unknown =>
  sent?.arguments ?? (move?.type === 'call_tool' ? move.arguments : null);
