// The entry of the browser host: `interject serve`, started by `npm start`.
import { collectAlone } from './collecting.ts';
import { endWithLauncher } from './launcher.ts';
import { main } from './main.ts';

collectAlone();
endWithLauncher();
process.exitCode = await main(['serve', ...process.argv.slice(2)]);
