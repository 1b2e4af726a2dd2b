// The built-in worlds in a process of their own, so that nobody else's work is on their clock. Prints the address.
import { collectAlone } from '../../src/main/hosts/collecting.ts';
import { serveWorlds } from '../support/worlds.ts';

// As every process of the product does when it starts.
collectAlone();
const { url } = await serveWorlds();
process.stdout.write(`${JSON.stringify({ url })}\n`);
// Whoever started it is gone.
process.stdin.on('end', () => process.exit(0)).resume();
