// The entry of the browser host: `interject serve`, started by `npm start`.
import { collectAlone } from './collecting.ts';
import { main } from './main.ts';

collectAlone();
process.exitCode = await main(['serve', ...process.argv.slice(2)]);
