// The entry of the browser host: `interject serve`, started by `npm start`.
import { collectAlone, collectInShortPauses } from './collecting.ts';
import { endWithLauncher } from './launcher.ts';

collectAlone();
collectInShortPauses();
endWithLauncher();
const { main } = await import('./main.ts');
process.exitCode = await main(['serve', ...process.argv.slice(2)]);
