// Keeps the newest plan of each run as a file, for trainers that watch one: the kit's `--plan` reads it as it is.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CurriculumPlan } from '../../shared/curriculum/plan.ts';

/** A whole file at any time: it is written beside the old one, and takes its place. */
export function writePlanFile(folder: string, run: string, plan: CurriculumPlan): string {
  mkdirSync(folder, { recursive: true });
  const path = planPath(folder, run);
  writeFileSync(`${path}.new`, `${JSON.stringify({ run, ...plan })}\n`);
  renameSync(`${path}.new`, path);
  return path;
}

/** File systems take names of 255 bytes; what is cut is told apart by a number made of the whole name. */
export function planPath(folder: string, run: string): string {
  const name = encodeURIComponent(run).replaceAll('.', '%2E');
  if (name.length <= NAME_MAX) return join(folder, `${name}.json`);
  let number = 0;
  for (const letter of name) number = (Math.imul(number, 31) + letter.charCodeAt(0)) >>> 0;
  return join(folder, `${name.slice(0, NAME_MAX)}-${number.toString(16)}.json`);
}

const NAME_MAX = 200;
