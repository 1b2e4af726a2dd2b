// The entry of the `interject` command.
import { collectAlone } from './collecting.ts';
import { main } from './main.ts';

collectAlone();
process.exitCode = await main(process.argv.slice(2));
