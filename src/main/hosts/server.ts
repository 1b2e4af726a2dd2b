// Owns: the entry of the browser host: `interject serve`, started by `npm start`.
import { main } from './main.ts';

process.exitCode = await main(['serve', ...process.argv.slice(2)]);
