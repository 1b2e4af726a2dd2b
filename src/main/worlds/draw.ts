import { createHash } from 'node:crypto';

/** A whole number from 0 below `count`, always the same for one key. */
export const drawBelow = (key: string, count: number): number =>
  createHash('sha256').update(key).digest().readUInt32BE(0) % count;
