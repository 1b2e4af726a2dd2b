// What `--baseline-log` and `--split` say: the earlier runs that briefs are written of, and which tasks are held out.
import { existsSync, readFileSync } from 'node:fs';
import { isSameTask } from '../../shared/episode/baseline.ts';
import { taskLabel, taskRef, type TaskAddress } from '../../shared/episode/taskRef.ts';
import { isBriefed, type Condition } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { SplitManifest } from '../../shared/split.ts';
import type { CommandApp } from './commandApp.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';

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
  app: CommandApp,
  { baselineLog, split, condition }: BriefOptions & { condition: Condition },
  output: CommandOutput,
): Promise<Baselines> {
  if (baselineLog === undefined) return () => ({});
  if (isBriefed(condition) && split === undefined) {
    output.say('No split manifest was given (--split): nobody checked that these tasks are not held out.');
  }
  const episodes = await app.importEpisodes(fromCaller(baselineLog));
  return (task) => {
    const found = episodes.findLast((episode) => isSameTask(taskRef(app.log.record(episode)), task));
    if (found !== undefined) return { baseline: found };
    throw new Failure('bad_input', `${baselineLog} holds no episode of ${taskLabel(task)}`, {
      next: 'Give the log of a run of the same tasks.',
    });
  };
}
