// The entry of the `interject` command.
import { collectAlone } from './collecting.ts';
import { endWithLauncher } from './launcher.ts';
import { main } from './main.ts';

collectAlone();
endWithLauncher();
process.exitCode = await main(process.argv.slice(2));
