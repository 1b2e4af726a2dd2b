// A file that `interject import` was given and that holds no episodes: a trainer's log joins the run of its name.
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { countText } from '../../shared/countText.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import { Failure } from '../../shared/failure.ts';
import { runNameOf } from '../../shared/training/run.ts';
import { addTrainerLog } from '../commands/training.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { CommandOutput } from './output.ts';

/** As large as the console takes. */
const BYTES_MAX = 30_000_000;

/** Whether the file was one. */
export function importTrainerLog(log: EventLog, path: string, output: CommandOutput): boolean {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) > BYTES_MAX) return false;
  const file = basename(path);
  try {
    const read = addTrainerLog(log, SYSTEM, { run: runNameOf(file), file, bytes: readFileSync(path) });
    output.line({ type: 'training_run', ...read });
    output.say(`${path}: a trainer’s log, ${countText(read.steps, 'step')} of the run ${read.run}`);
    if (read.unread.length > 0) output.say(`  Not read: ${read.unread.join('; ')}`);
    return true;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'bad_input') return false;
    throw thrown;
  }
}
