// What a sandbox says comes through a pipe in pieces of any size.
import { PassThrough } from 'node:stream';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createBlocks } from '../../src/main/verifier/blocks.ts';

function framed(block: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(block.length);
  return Buffer.concat([length, block]);
}

function openChild() {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const child = { stdin, stdout, stderr, on: () => child, kill: () => true };
  return { child: child as unknown as ChildProcessWithoutNullStreams, stdout };
}

describe('the blocks of a sandbox', () => {
  it.each([1, 3, 5, 1000])('are whole when they come in pieces of %d bytes', async (size) => {
    const { child, stdout } = openChild();
    const blocks = createBlocks(child, 10_000);
    const sent = [Buffer.from('first'), Buffer.alloc(0), Buffer.alloc(300, 'x')];
    const all = Buffer.concat(sent.map(framed));
    for (let at = 0; at < all.length; at += size) stdout.write(all.subarray(at, at + size));

    for (const block of sent) expect((await blocks.next())?.toString()).toBe(block.toString());
  });

  it('of many megabytes are put together once, not with every piece', async () => {
    const { child, stdout } = openChild();
    const snapshot = Buffer.alloc(8 * 1024 * 1024, 'y');
    const coming = createBlocks(child, snapshot.length + 4).next();
    const all = framed(snapshot);
    for (let at = 0; at < all.length; at += 1024) stdout.write(all.subarray(at, at + 1024));

    expect((await coming)?.equals(snapshot)).toBe(true);
  }, 15_000);
});
