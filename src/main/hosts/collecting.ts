// Garbage is collected by the thread that made it. Most of what is made here dies at once, so that little is left to
// copy: waking helpers for it costs more than they save, and takes the processor from whoever else has work.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { collector } from '../gateway/memoryBack.ts';

/**
 * Half of the room for what is young, in MB; the other half is what it is copied to. V8 takes up to 32: what a crowd has
 * left there takes 50 ms to copy, in which nobody is served. Of 4 it is a few ms, more often.
 */
const YOUNG_MB = 4;
const WHOLE = (2 * YOUNG_MB) << 20;
/** Two collections that come after each other so fast say that the room is too small for what is made. */
const BUSY_MS = 100;
/** Lists of a thousand that are made at most, to have the room grow. */
const LISTS_MAX = 1_000;

/** Holds for all threads of this process from now on. */
export const collectAlone = (): void => setFlagsFromString('--no-parallel-scavenge');

/**
 * Collects in many short pauses rather than in few long ones: for a process that serves people. Holds for this thread, and
 * for those of this process that begin later. Best called before much is loaded: a room that has grown by then is
 * emptied first, which takes a moment.
 */
export function collectInShortPauses(): void {
  for (const end of ['min', 'max']) setFlagsFromString(`--${end}-semi-space-size=${String(YOUNG_MB)}`);
  if (youngRoom() > WHOLE) collector()();
  growYoung();
  // V8 makes the room small again where little was made for a while.
  let before = -Infinity;
  new PerformanceObserver((list) => {
    const [first] = list.getEntries();
    const isBusy = first !== undefined && first.startTime - before < BUSY_MS;
    before = list.getEntries().at(-1)?.startTime ?? before;
    if (isBusy && youngRoom() < WHOLE) growYoung();
  }).observe({ entryTypes: ['gc'] });
}

/** Bytes of both halves. */
const youngRoom = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? WHOLE;

/**
 * A thread that has begun takes no new limit. Its room doubles whenever as much as it holds has survived in it, unless it
 * is told to grow by a factor of one: so it is made to grow here, step by step, and then told so.
 */
function growYoung(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  const surviving: object[][] = [];
  while (youngRoom() < WHOLE && surviving.length < LISTS_MAX)
    surviving.push(Array.from({ length: 1_000 }, (_, at) => ({ at })));
  setFlagsFromString('--semi-space-growth-factor=1');
}
