// The commands of a bench: the same tasks in several arms.
import { z } from 'zod';
import { BenchChoice } from '../bench/choice.ts';
import { BenchPlan } from '../bench/plan.ts';
import { BenchSummary } from '../bench/summary.ts';
import { SplitManifest } from '../split.ts';
import { OWNER_READS, OWNER_WRITES, EmptyInput } from './row.ts';
import { Concurrency, RunProgress } from './runs.ts';

/** `complete`: every episode is over. `stopped`: some are not, and none is running. */
export const BenchState = z.enum(['running', 'stopped', 'complete']);
export type BenchState = z.infer<typeof BenchState>;

const BenchName = z.string().min(1).max(200);

export const BenchRow = z.strictObject({
  name: BenchName,
  planned_at: z.number(),
  state: BenchState,
  arms: z.array(z.string()),
  tasks: z.number().int(),
  seeds: z.number().int(),
  progress: RunProgress,
});
export type BenchRow = z.infer<typeof BenchRow>;

/** `environment`: the key of the one its tasks are played in, where the split says so. */
const BenchSplit = z.strictObject({
  name: z.string(),
  environment: z.string().nullable(),
  train: z.number().int(),
  val: z.number().int(),
  /** Of the one that was asked for. */
  manifest: SplitManifest.optional(),
});
type BenchSplit = z.infer<typeof BenchSplit>;

export const benching = {
  /** Starts the bench, or goes on with one of the same name and plan; by a name alone with the plan in the log. */
  'bench.start': {
    ...OWNER_WRITES,
    input: z.union([
      z.strictObject({ plan: BenchPlan, concurrency: Concurrency }),
      z.strictObject({ name: BenchName, concurrency: Concurrency }),
    ]),
    output: z.strictObject({ name: BenchName }),
  },
  /** The splits that are pinned in this data folder: lists of tasks to run. All of what the one of this name lists. */
  'bench.splits': {
    ...OWNER_READS,
    input: z.strictObject({ name: z.string().max(2000).optional() }),
    output: z.strictObject({ splits: z.array(BenchSplit) }),
  },
  /** What a choice comes to, checked: this is fixed once the bench starts. Nothing is written yet. */
  'bench.plan': {
    ...OWNER_READS,
    input: z.strictObject({
      choice: BenchChoice,
      /** A split by its name, or the text of a manifest. */
      split: z.union([
        z.strictObject({ name: z.string() }),
        z.strictObject({ text: z.string().max(4_000_000) }),
      ]),
      /** Plans it although tasks of its val list are in its train list too: the plan and the report name them. */
      allows_overlap: z.boolean().optional(),
    }),
    output: z.strictObject({ plan: BenchPlan, episodes: z.number().int() }),
  },
  /** Writes the report of a bench that is over into the data folder. */
  'bench.export': {
    ...OWNER_WRITES,
    input: z.strictObject({ name: BenchName }),
    output: z.strictObject({ folder: z.string(), files: z.array(z.string()), has_pictures: z.boolean() }),
  },
  'bench.list': { ...OWNER_READS, input: EmptyInput, output: z.strictObject({ benches: z.array(BenchRow) }) },
  /** No figure is given before every episode is over: who looks earlier and stops when it pleases finds what is not there. */
  'bench.show': {
    ...OWNER_READS,
    reveals: ['verdict'],
    input: z.strictObject({ name: BenchName }),
    output: z.strictObject({
      plan: BenchPlan,
      state: BenchState,
      progress: RunProgress,
      summary: BenchSummary.nullable(),
      /** The report in Markdown; null while there is no summary. */
      report: z.string().nullable(),
    }),
  },
} as const;
