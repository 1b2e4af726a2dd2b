// Which questions are alike: asked in the same task of one environment after the same call failed. Pure.
import { environmentKey } from '../environmentKinds.ts';
import { parseJson } from '../json.ts';
import type { EpisodeRecord } from './record.ts';
import { taskRef } from './taskRef.ts';

type Alike = [environment: string, scenario: string, task: number, tool: string | null, sent: unknown];

/** What alike questions share; `before`: the turn of the question. */
export function alikeKey({ started, reset, turns }: EpisodeRecord, before: number): string {
  const failing = turns.findLast(
    ({ turn, call }) => turn < before && (call?.returned?.error ?? null) !== null,
  );
  const sent = failing?.call?.sent ?? null;
  const { scenario, task_idx: task } = taskRef({ reset, started });
  const key: Alike = [
    started === null ? '' : environmentKey(started.environment),
    scenario ?? '',
    task ?? -1,
    sent?.toolName ?? null,
    sent?.arguments ?? null,
  ];
  return JSON.stringify(key);
}

/** The tool whose call failed before the questions that share a key; null where none failed: those are not alike. */
export function failedToolOf(key: string): string | null {
  const [, , , tool] = parseJson(key) as Alike;
  return tool;
}
