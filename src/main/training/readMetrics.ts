// A trainer's own log, told by its content: JSON lines, CSV, TensorBoard scalars, the state that TRL saves.
import { RUN_STEPS_MAX } from '../../shared/events/training.ts';
import { Failure } from '../../shared/failure.ts';
import { isRecord } from '../../shared/json.ts';
import type { RunSource, RunStep } from '../../shared/training/run.ts';
import { readCsv } from './readCsv.ts';
import { stepsOfMetrics } from './metricNames.ts';
import type { MetricPoint } from './metricPoint.ts';
import { isEventFile, readEventFile } from './tensorboard.ts';

export type ReadMetrics = { source: RunSource; steps: RunStep[]; unread: string[] };

const STEP_NAMES = ['step', 'global_step', 'train/global_step', 'training_step', '_step'];

/** Throws `bad_input` where the file is none of them, or tells nothing by step. */
export function readMetrics(file: string, bytes: Uint8Array): ReadMetrics {
  const { source, points } = pointsIn(file, bytes);
  const { steps, unread } = stepsOfMetrics(points);
  if (steps.length === 0) {
    throw new Failure('bad_input', `${file} tells nothing of a step that a training run has`, {
      next:
        unread.length === 0
          ? 'Each line needs a field `step` and numbers beside it, such as `reward`.'
          : `It has ${unread.slice(0, 8).join(', ')}. Names that are read: docs/figures.md.`,
    });
  }
  if (steps.length > RUN_STEPS_MAX) {
    throw new Failure(
      'bad_input',
      `${file} has ${String(steps.length)} steps, more than ${String(RUN_STEPS_MAX)}`,
    );
  }
  return { source, steps, unread: unread.map((name) => name.slice(0, 300)) };
}

function pointsIn(file: string, bytes: Uint8Array): { source: RunSource; points: MetricPoint[] } {
  if (isEventFile(bytes)) return { source: 'tensorboard', points: readEventFile(bytes) };
  const text = new TextDecoder()
    .decode(bytes)
    .replace(/^\ufeff/, '')
    .trim();
  const whole = text.startsWith('{') || text.startsWith('[') ? parseJson(text) : undefined;
  if (isRecord(whole) && Array.isArray(whole['log_history'])) {
    return { source: 'trainer_state', points: rowPoints(whole['log_history']) };
  }
  if (Array.isArray(whole)) return { source: 'jsonl', points: rowPoints(whole) };
  if (text.startsWith('{')) return { source: 'jsonl', points: rowPoints(jsonLines(file, text)) };
  return { source: 'csv', points: rowPoints(readCsv(text)) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function jsonLines(file: string, text: string): unknown[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parseJson(line);
    if (value !== undefined) return [value];
    throw new Failure('bad_input', `line ${String(index + 1)} of ${file} is no JSON`);
  });
}

/** The numbers of each row, with objects in it flattened: `{"reward":{"process":1}}` is `reward/process`. */
function rowPoints(rows: readonly unknown[]): MetricPoint[] {
  return rows.flatMap((row) => {
    if (!isRecord(row)) return [];
    const flat = flattened(row, '');
    const named = flat.find(({ name }) => STEP_NAMES.includes(name.toLowerCase()));
    const step = Number(named?.value);
    if (named === undefined || !Number.isInteger(step)) return [];
    return flat
      .filter(({ name }) => !STEP_NAMES.includes(name.toLowerCase()))
      .map(({ name, value }) => ({ step, name, value }));
  });
}

function flattened(row: Record<string, unknown>, prefix: string): { name: string; value: number | string }[] {
  return Object.entries(row).flatMap(([name, value]) => {
    if (typeof value === 'number' || typeof value === 'string') return [{ name: prefix + name, value }];
    return isRecord(value) ? flattened(value, `${prefix}${name}/`) : [];
  });
}
