// Which questions are alike: asked in the same task of one environment right after the same call failed. Pure.
import { environmentKey } from '../environmentKinds.ts';
import { parseJson } from '../json.ts';
import { triedCall, type TriedCall } from './attempts.ts';
import type { EpisodeRecord } from './record.ts';
import { isCallFailed } from './strip.ts';
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
    failed?.toolName ?? null,
    failed?.arguments ?? null,
  ];
  return JSON.stringify(key);
}

/** The tool whose call failed before the questions that share a key; null where none failed: those are not alike. */
export function failedToolOf(key: string): string | null {
  const [, , , tool] = parseJson(key) as Alike;
  return tool;
}

/** The last call since the question before this one, if it failed. */
function failedBefore({ turns, consultations }: EpisodeRecord, before: number): TriedCall | null {
  const asked = consultations.findLast(({ turn }) => turn < before)?.turn ?? 0;
  const last = turns.findLast(({ turn, call }) => turn > asked && turn < before && call !== null);
  const call = last?.call ?? null;
  return call === null || !isCallFailed(call) ? null : triedCall(call, last?.move ?? null);
}
