// Owns: the prompts the product ships, for tests that read what an agent reads.
import { join } from 'node:path';
import { readPrompts, type Prompts } from '../../src/main/settings/prompts.ts';

export const shippedPrompts = (): Prompts =>
  readPrompts(join(import.meta.dirname, '..', '..', 'resources', 'prompts'));
