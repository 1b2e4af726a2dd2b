// Help and the version as the build kept them: nothing of the product is loaded for a question about its words.
import { readFileSync } from 'node:fs';
import { stdout } from 'node:process';

/** As wide as the texts were written. */
const WIDTH = 80;
const ASKS_HELP: ReadonlySet<string | undefined> = new Set(['--help', '-h']);

type Ready = { version: string; help: Readonly<Record<string, string>> };

/** The answer to a plain question; null for anything else, and where the build kept nothing. `file` is what it kept. */
export function readyHelp(args: readonly string[], file: string): string | null {
  if (stdout.isTTY && stdout.columns < WIDTH) return null;
  const isVersion = args.length === 1 && (args[0] === '--version' || args[0] === '-V');
  const path = args[0] === 'help' ? args.slice(1) : ASKS_HELP.has(args.at(-1)) ? args.slice(0, -1) : null;
  if (path === null && !isVersion) return null;
  try {
    const { version, help } = JSON.parse(readFileSync(file, 'utf8')) as Ready;
    return path === null ? `${version}\n` : (help[path.join(' ')] ?? null);
  } catch {
    return null;
  }
}
