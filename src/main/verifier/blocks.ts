// Talks with a sandbox in blocks over its pipes: four bytes of length, then that many bytes.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';

export function sendBlock(child: ChildProcessWithoutNullStreams, block: Uint8Array): void {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(block.byteLength);
  child.stdin.write(length);
  child.stdin.write(block);
}

/** The line that says why a process ended: the watchdog's, Node's or V8's. */
const TROUBLE = /^limit: |Error|out of memory/;

export type Blocks = { next(): Promise<Buffer | null>; trouble(): string };

/** Blocks of a child's output, `max` bytes in all; null when it has ended. */
export function createBlocks(child: ChildProcessWithoutNullStreams, max: number): Blocks {
  const waiting: ((block: Buffer | null) => void)[] = [];
  const chunks: Buffer[] = [];
  let [held, bytes, trouble, isOver] = [0, 0, '', false];
  const settle = (): void => {
    while (waiting.length > 0) {
      const block = take();
      if (block === null && !isOver) return;
      waiting.shift()?.(block);
    }
  };
  /** Of the block that comes; -1 until it is known. */
  let length = -1;
  const take = (): Buffer | null => {
    // A block comes in many pieces: they are put together once, when the last is there.
    if (held < (length < 0 ? 4 : 4 + length)) return null;
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    length = all.readUInt32BE(0);
    const isWhole = held >= 4 + length;
    chunks.splice(0, chunks.length, isWhole ? all.subarray(4 + length) : all);
    if (!isWhole) return null;
    const block = all.subarray(4, 4 + length);
    held -= 4 + length;
    length = -1;
    return block;
  };
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > max) return void child.kill('SIGKILL');
    chunks.push(chunk);
    held += chunk.length;
    settle();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    trouble = (trouble + text).slice(-2000);
  });
  child.stdin.on('error', () => undefined);
  const over = (): void => {
    isOver = true;
    settle();
  };
  child.on('error', (thrown) => {
    trouble += `Error: ${thrown.message}`;
    over();
  });
  child.on('close', over);
  return {
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        settle();
      }),
    trouble: () =>
      trouble.split('\n').findLast((line) => TROUBLE.test(line)) ?? (trouble || 'without a word'),
  };
}
