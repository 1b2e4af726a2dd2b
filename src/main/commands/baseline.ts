// Whether a brief may be written of an earlier run: the same task, over, and never a task that is held out.
import type { StartEpisode } from '../../shared/contract/areas.ts';
import { isSameTask } from '../../shared/episode/baseline.ts';
import { type TaskAddress, taskLabel, taskRef } from '../../shared/episode/record.ts';
import type { Baseline } from '../../shared/events/consultations.ts';
import { isBriefed } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { sideIn, type SplitManifest, type SplitSide } from '../../shared/split.ts';
import type { EventLog } from '../log/eventLog.ts';
import { splitsIn } from '../log/pinnedSplits.ts';

/** `split`: given for this run of the product, beside the pinned ones; `environment`: the key of the one played in. */
type BaselineDependencies = { log: EventLog; split: SplitManifest | null; environment: string };

/** The baseline of a start; null where no brief is asked for. Throws `bad_input` where none may be written. */
export function baselineOf(
  { log, split, environment }: BaselineDependencies,
  input: StartEpisode,
): Baseline | null {
  const { baseline: episode, condition, scenario, task_idx } = input;
  if (!isBriefed(condition)) {
    if (episode === undefined) return null;
    throw new Failure(
      'bad_input',
      `a baseline is only read with a brief, and the condition is ${condition}`,
      {
        next: 'Choose the condition brief or brief+human.',
      },
    );
  }
  const side = checkHeldOut(splitsIn(log, split), { scenario, task_idx, environment });
  if (episode === undefined) {
    throw new Failure('bad_input', 'a brief needs a baseline: an ended episode of the same task', {
      next: 'Choose "Run again with a brief" on an ended episode, or give --baseline-log FILE.',
    });
  }
  const record = log.record(episode);
  if (record.started === null || record.ended === null) {
    throw new Failure('not_found', `there is no ended episode ${episode} in this data folder`);
  }
  const of = taskRef(record);
  if (!isSameTask(of, { scenario, task_idx })) {
    const message = `the baseline ${episode} is of ${taskLabel(of)}, not of ${taskLabel({ scenario, task_idx })}`;
    throw new Failure('bad_input', message, { next: 'Give an episode of the same task.' });
  }
  const reward_type = record.ended.reward_type ?? record.verified?.reward_type ?? null;
  return { episode, reward_type, split: side };
}

/** A task that is evaluated is never advised on. */
function checkHeldOut(
  splits: readonly SplitManifest[],
  task: TaskAddress & { environment: string },
): SplitSide {
  const side = sideIn(splits, task);
  if (side !== 'val') return side;
  throw new Failure(
    'bad_input',
    `${taskLabel(task)} is held out (val): no brief is written of a held-out task`,
    {
      next: 'Brief a task of the train split, or run this one with the condition none.',
    },
  );
}
