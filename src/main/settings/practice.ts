// Reading the practice round that is shipped: recorded asks, and what a good answer to each holds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PracticeAsk } from '../../shared/contract/seat.ts';

const Expected = z.strictObject({ tool: z.string(), args: z.record(z.string(), z.json()), why: z.string() });
const Avoided = z.strictObject({ argument: z.string(), value: z.json(), why: z.string() });

const File = PracticeAsk.omit({ id: true, is_done: true }).extend({
  scenario: z.string(),
  task_idx: z.number().int(),
  /** Calls a good answer holds, or whose values it names in plain words. */
  expects: z.array(Expected).min(1),
  /** Values that single out a wrong record. */
  avoids: z.array(Avoided),
  /** What a good answer holds, in words; shown with the feedback. */
  good: z.string(),
});
export type PracticeItem = z.infer<typeof File> & { id: string };

/** The asks in the order of their files. Throws when one cannot be read: they are ours. */
export const readPractice = (folder: string): PracticeItem[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => ({
      id: name.replace(/\.json$/, ''),
      ...File.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    }));
