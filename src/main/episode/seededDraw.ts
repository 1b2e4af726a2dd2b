import { createHash } from 'node:crypto';

/** A number in [0, 1) that depends on the seed alone. */
export const seededDraw = (seed: string): number =>
  createHash('sha256').update(seed).digest().readUInt32BE(0) / 2 ** 32;
