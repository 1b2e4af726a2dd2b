// A file that `interject import` was given and that holds no episodes: a trainer's log joins the run of its name.
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Outputs } from '../../shared/contract/contract.ts';
import { countText } from '../../shared/countText.ts';
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import { runNameOf } from '../../shared/training/run.ts';
import { mayTellSteps, namesMetrics, readMetrics } from '../training/readMetrics.ts';
import type { CommandOutput } from './output.ts';
import type { Product } from './product.ts';

/** As large as the console takes. */
const BYTES_MAX = 30_000_000;

export type TrainerLogImport = {
  /** Of a person's choice; null: the file's. */
  name: string | null;
  output: CommandOutput;
};
/** `isDamaged`: rows or values of it were not read. `refusal`: it is of another run than the name it was given. */
type ReadLog = { isDamaged: boolean; refusal: FailureShape | null };

/** Null where the file is none. */
export async function importTrainerLog(
  product: Product,
  path: string,
  { name, output }: TrainerLogImport,
): Promise<ReadLog | null> {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) > BYTES_MAX) return null;
  const bytes = readFileSync(path);
  if (!isTrainerLog(basename(path), bytes)) return null;
  const file = join(basename(dirname(path)), basename(path));
  const run = name ?? runNameOf(basename(path));
  let added: Outputs['training.add_log'];
  try {
    const base64 = bytes.toString('base64');
    added = await product.call('training.add_log', { run, file, base64, is_chosen: name !== null });
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'bad_input') throw thrown;
    return { isDamaged: false, refusal: failureShape(thrown) };
  }
  const { is_damaged: isDamaged, renamed, ...read } = added;
  output.line({ type: 'training_run', ...read });
  output.say(`${path}: a trainer’s log, ${countText(read.steps, 'step')} of the run ${read.run}`);
  if (renamed !== null) output.say(`  ${renamed}. --name NAME gives it another.`);
  if (read.unread.length > 0) output.say(`  Not read: ${read.unread.join('; ')}`);
  return { isDamaged, refusal: null };
}

function isTrainerLog(file: string, bytes: Uint8Array): boolean {
  if (!mayTellSteps(bytes)) return false;
  try {
    readMetrics(file, bytes);
    return true;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'bad_input') return false;
    throw thrown;
  }
}

/** Why a file that names what trainers' logs name is none that can be read; null for any other file. */
export function unreadLogFailure(path: string): FailureShape | null {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) > BYTES_MAX) return null;
  const bytes = readFileSync(path);
  try {
    if (!namesMetrics(bytes)) return null;
    readMetrics(basename(path), bytes);
    return null;
  } catch (thrown) {
    return thrown instanceof Failure && thrown.code === 'bad_input' ? failureShape(thrown) : null;
  }
}
