// The entry of the `interject` command.
import { join } from 'node:path';
import { collectAlone, collectInShortPauses } from './collecting.ts';
import { endWithLauncher } from './launcher.ts';
import { readyHelp } from './readyHelp.ts';
import { writeHelp } from './terminal.ts';

const args = process.argv.slice(2);
const help = readyHelp(args, join(import.meta.dirname, 'help.json'));
if (help === null) {
  collectAlone();
  if (args.includes('serve')) collectInShortPauses();
  endWithLauncher();
  const { main } = await import('./main.ts');
  process.exitCode = await main(args);
} else writeHelp(help);
