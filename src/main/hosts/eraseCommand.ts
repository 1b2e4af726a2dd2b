// `interject erase`: a person's data or a pasted secret out of the log, for good.
import { readFileSync } from 'node:fs';
import { countText } from '../../shared/countText.ts';
import { Failure } from '../../shared/failure.ts';
import { sizeWords } from '../dataset/import/limits.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { openProductFor } from './product.ts';

export type EraseOptions = { textFile?: string; reason?: string; data?: string };

/** Resolves with the exit code. The text comes from a file or from stdin: an argument would stand in the shell's history. */
export async function eraseCommand(
  { textFile, reason, data }: EraseOptions,
  output: CommandOutput,
  episode: string,
): Promise<number> {
  const text = textFile === undefined ? null : readSecretText(textFile);
  const product = await openProductFor({ data }, { output });
  try {
    const { log_bytes: bytes = 0 } = await product.call('app.describe', {});
    output.say(
      `${episode} is searched, then the log (${sizeWords(bytes)}) is written anew: that takes longer the larger it is`,
    );
    const asked = { episode, text, reason: reason ?? null };
    const { files, shared, ...erased } = await product.call('episode.erase', asked);
    // In this order, whoever erased it.
    const { events, judgements, left, places, sha256, copies: untouched } = erased;
    const counts = { events, judgements, left, places, sha256, copies: untouched, files, shared };
    output.line({ type: 'erase', episode, ...counts });
    output.say(`${String(erased.events)} events of ${episode} hold tombstones now; exports leave it out`);
    if (erased.places !== null) output.say(`the text was taken out of ${countText(erased.places, 'place')}`);
    if (erased.left > 0)
      output.say(
        `it still stands in ${countText(erased.left, 'event')} as a number or across fields: erase the whole episode`,
      );
    if (erased.judgements > 0)
      output.say(`so do ${String(erased.judgements)} events in annotation projects that were about it`);
    const others = shared > 0 ? `; ${String(shared)} other episodes can no longer be written back` : '';
    for (const name of files) output.say(`the kept file ${name} was removed${others}`);
    output.say('backups that were made before hold them too: remove those, or make them anew');
    if (untouched.length > 0) output.say(`not touched, with copies of its turns: ${untouched.join(', ')}`);
    return 0;
  } finally {
    await product.close();
  }
}

function readSecretText(file: string): string {
  try {
    // A file usually ends with a line end that is not part of the text.
    return readFileSync(file === '-' ? 0 : fromCaller(file), 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new Failure('bad_input', `cannot read ${file}`, {
      cause,
      next: 'Give a file, or - for standard input.',
    });
  }
}
