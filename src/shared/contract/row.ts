// The row of a command in the contract: who may use it, what its answer may tell of a task's answer, and whether it
// writes. The door, the record of what a seat has seen, and the tests of all three read it there.
import { z } from 'zod';
import type { Saw } from '../events/actor.ts';

/**
 * Users of a command. `expert`: everybody, an expert's seat too, in what its handler grants it. `owner`: the
 * owner, and whoever has a key to the console. `owner alone`: no key either, for secrets and ways in that would outlive
 * it. `command`: a command of this machine's command line.
 */
export type Who = 'expert' | 'owner' | 'owner alone' | 'command';

export type Row = {
  who: Who;
  /** One that reveals something does not compile until `src/main/commands/router.ts` finds it in what is sent. */
  reveals: readonly Saw[];
  /** Keeps something in the data folder. */
  writes: boolean;
  /** Who may give each field of the input, where that differs. */
  parts?: Readonly<Record<string, { who: Who }>>;
  input: z.ZodType;
  output: z.ZodType;
};

const NOTHING = [] as const;
/** Words of an author who had seen some of it: drafts, advice, notes. Whoever reads them inherits that. */
export const ANY_OF_IT = [
  'criteria',
  'reference',
  'verdict',
  'hidden_state',
] as const satisfies readonly Saw[];

export const EXPERT_READS = { who: 'expert', reveals: NOTHING, writes: false } as const;
export const EXPERT_WRITES = { who: 'expert', reveals: NOTHING, writes: true } as const;
export const OWNER_READS = { who: 'owner', reveals: NOTHING, writes: false } as const;
export const OWNER_WRITES = { who: 'owner', reveals: NOTHING, writes: true } as const;
export const COMMAND_READS = { who: 'command', reveals: NOTHING, writes: false } as const;
export const COMMAND_WRITES = { who: 'command', reveals: NOTHING, writes: true } as const;

export const EmptyInput = z.strictObject({});
export const PageInput = { offset: z.number().int().nonnegative(), limit: z.number().int().min(1).max(500) };
