// What `--baseline-log` and `--split` say: the earlier runs that briefs are written of, and which tasks are held out.
import { existsSync, readFileSync } from 'node:fs';
import { isSameTask } from '../../shared/episode/baseline.ts';
import { type TaskAddress, taskLabel } from '../../shared/episode/record.ts';
import { isBriefed, type Condition } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { SplitManifest } from '../../shared/split.ts';
import type { EpisodeRow } from '../../shared/contract/rows.ts';
import { findFiles } from '../dataset/import/findFiles.ts';
import { createNotes } from '../dataset/import/importNotes.ts';
import { importFiles } from './importFiles.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import type { Product } from './product.ts';

export type BriefOptions = { baselineLog?: string; split?: string };

/** The manifest of a file; null where none is named. Throws `bad_input`. */
export function readSplit(path: string | undefined): SplitManifest | null {
  if (path === undefined) return null;
  if (!existsSync(fromCaller(path)))
    throw new Failure('bad_input', `there is no file ${path}`, { next: 'Name the manifest of a split.' });
  try {
    return SplitManifest.parse(JSON.parse(readFileSync(fromCaller(path), 'utf8')));
  } catch (cause) {
    throw new Failure('bad_input', `${path} is no split manifest`, {
      cause,
      next: 'It is a JSON object with "train" and "val", each a list of ["scenario", index].',
    });
  }
}

type Baselines = (task: TaskAddress) => { baseline?: string };

/** Which earlier run each task's brief is written of. Takes the log in, and says where nobody knows what is held out. */
export async function readBaselines(
  product: Product,
  { baselineLog, split, condition }: BriefOptions & { condition: Condition },
  output: CommandOutput,
): Promise<Baselines> {
  if (baselineLog === undefined) return () => ({});
  if (isBriefed(condition) && split === undefined) {
    output.say('No split manifest was given (--split): nobody checked that these tasks are not held out.');
  }
  const episodes = await importEpisodes(product, baselineLog);
  return (task) => {
    const found = episodes.findLast((episode) => isSameTask(episode, task));
    if (found !== undefined) return { baseline: found.id };
    throw new Failure('bad_input', `${baselineLog} holds no episode of ${taskLabel(task)}`, {
      next: 'Give the log of a run of the same tasks.',
    });
  };
}

/** The episodes of a file or folder, whether they were here before or not. Throws `import_failed` where it holds none. */
async function importEpisodes(product: Product, path: string): Promise<EpisodeRow[]> {
  const rows: EpisodeRow[] = [];
  const files = findFiles(fromCaller(path), createNotes());
  for await (const news of importFiles(product, files, { isLossy: false, withRows: true })) {
    if ('row' in news && news.row !== null) rows.push(news.row);
    if (!('report' in news)) continue;
    const { failure, format } = news.report;
    if (failure === null || format === null) continue;
    const next = failure.next ?? 'Check the file with `interject import`.';
    throw new Failure(failure.code, `${path}: ${failure.message}`, { next });
  }
  if (rows.length > 0) return rows;
  throw new Failure('import_failed', `no episode was found in ${path}`, {
    next: 'See docs/import.md for the formats; they are recognised by their content.',
  });
}
