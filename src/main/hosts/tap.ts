// The entry of the tap's own process: `tap <data folder> <port>`. It is started by main and outlives it.
import { setPriority } from 'node:os';
import { runTapProcess } from '../gateway/tap/child/tapProcess.ts';
import { collectAlone } from './collecting.ts';
import { newId } from './edges.ts';

const [folder, port] = process.argv.slice(2);
if (folder === undefined || port === undefined) throw new Error('tap <data folder> <port>');

// The terminal's Ctrl+C is meant for main, which says what is to become of this process.
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
process.title = 'interject tap';
goFirst();
collectAlone();

const closeTapProcess = await runTapProcess({
  folder,
  port: Number(port),
  run: newId(),
  clock: Date.now,
  monotonic: () => performance.now(),
  newId: () => newId(),
  exit: () => process.exit(0),
});
process.once('SIGTERM', closeTapProcess);

/** Puts somebody else's run before our own recording of it, if the system allows it. */
function goFirst(): void {
  try {
    setPriority(-10);
  } catch {
    // Only an owner of the machine may; elsewhere it is one process among others.
  }
}
