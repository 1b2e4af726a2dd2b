// The entry of the `interject` command.
import { collectAlone, collectInShortPauses } from './collecting.ts';
import { endWithLauncher } from './launcher.ts';

const args = process.argv.slice(2);
collectAlone();
if (args.includes('serve')) collectInShortPauses();
endWithLauncher();
const { main } = await import('./main.ts');
process.exitCode = await main(args);
