// A command typed in two copies of a folder, in both ways in which it finds a product: in one it starts its own, in the other Interject has
// the folder open.
import { expect } from 'vitest';
import { runCommand } from './inProcess.ts';

export type Told = { code: number; written: string; said: string };

/** Gives each id the number in which it was met: ids differ from folder to folder. */
export function numberIds(): (text: string) => string {
  const ids = new Map<string, string>();
  return (text) =>
    text.replaceAll(/\b1m[0-9a-z]{17}\b/g, (id) => {
      ids.set(id, ids.get(id) ?? `ID${String(ids.size)}`);
      return ids.get(id) ?? '';
    });
}

/** What a command says and its exit code, without the folder's name, ids and times. */
async function typed(folder: string, args: readonly string[]): Promise<Told> {
  const { code, written, said } = await runCommand(folder, [...args, '--data', 'home']);
  const numbered = numberIds();
  const steady = (text: string): string =>
    numbered(text.replaceAll(folder, 'FOLDER'))
      // Said only where it is a second or more.
      .replaceAll(/(?<="eta_s":)(?:\d+|null)|, about [\d.]+ (?:s|min|h) left/g, '')
      .replaceAll(/[\d.]+ MiB/g, 'SIZE')
      // Said once a second.
      .replaceAll(/^ {2}\S+: \d+ MB, .*\n/gm, '');
  return { code, written: steady(written), said: steady(said) };
}

/** Types it in both folders and gives what it said through the one that is open, once that is the same as alone. */
export async function bothSay(alone: string, beside: string, args: readonly string[]): Promise<Told> {
  const one = await typed(alone, args);
  const other = await typed(beside, args);
  expect(other).toEqual(one);
  return other;
}
