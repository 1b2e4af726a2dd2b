// The folder that a result goes into: an empty one, or the one that holds the same result already.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../shared/failure.ts';
import { isRecord, tryJson } from '../../shared/json.ts';
import { fromCaller } from './paths.ts';

/** The folder of a report, as it was typed. Throws `bad_input` where it holds other files. */
export function reportFolder(out: string): string {
  const folder = fromCaller(out);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new Failure('bad_input', `${folder} is a file`, { next: 'Name a folder.' });
  if (filesIn(folder).some((name) => !OURS.has(name))) {
    throw new Failure('bad_input', `${folder} holds other files`, {
      next: 'Name an empty folder, or one of an earlier report.',
    });
  }
  return folder;
}

const OURS = new Set(['report.md', 'results_summary.json', 'figures']);
const filesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

type Measured = { kind: 'bench' | 'lift'; name: string };

/** Throws `bad_input` where the folder holds any result but this one: that could not be had again. */
export function checkHoldsNoOther(folder: string, { kind, name }: Measured): void {
  if (filesIn(folder).length === 0) return;
  const held = measuredIn(folder);
  if (held?.kind === kind && held.name === name) return;
  const what = held === null ? 'another report' : `the result of the ${held.kind} ${held.name}`;
  throw new Failure('bad_input', `${folder} holds ${what}`, {
    next: `Name an empty folder, or the one that the ${kind} ${name} was written to.`,
  });
}

/** A report is drawn again at any time; a result that was measured is not written over. Throws `bad_input`. */
export function checkReportHoldsNoOther(folder: string, summary: unknown): void {
  const [held, ours] = [measuredIn(folder), measuredOf(summary)];
  if (held === null || (held.kind === ours?.kind && held.name === ours.name)) return;
  throw new Failure('bad_input', `${folder} holds the result of the ${held.kind} ${held.name}`, {
    next: 'Name an empty folder, or one of an earlier report.',
  });
}

function measuredIn(folder: string): Measured | null {
  const file = join(folder, 'results_summary.json');
  return existsSync(file) ? measuredOf(tryJson(readFileSync(file, 'utf8'))) : null;
}

function measuredOf(summary: unknown): Measured | null {
  if (!isRecord(summary) || !isRecord(summary['plan'])) return null;
  const [kind, name] = [summary['kind'], summary['plan']['name']];
  if (typeof name !== 'string' || (kind !== 'interject.bench' && kind !== 'interject.lift')) return null;
  return { kind: kind === 'interject.bench' ? 'bench' : 'lift', name };
}
