// Episodes that are played together: a run of a command, a bench, a measurement of answers. Each is waited for and stopped alike.
import { z } from 'zod';
import { Probe } from '../events/lifecycle.ts';
import { FailureShape } from '../failureCodes.ts';
import { StartEpisode } from './areas.ts';
import { OWNER_READS, OWNER_WRITES, EmptyInput } from './row.ts';

export const RunProgress = z.strictObject({
  planned: z.number().int(),
  finished: z.number().int(),
  running: z.number().int(),
  /** Running episodes of which a question or a call waits for a person. */
  waiting: z.number().int(),
  /** Left out of every figure, so far. */
  excluded: z.number().int(),
  /** Seconds until it is over at the pace so far; null where nothing runs, nothing ended yet, or people are waited for. */
  eta_s: z.number().nullable(),
});
export type RunProgress = z.infer<typeof RunProgress>;

/** The name of a bench or of a measurement, else what `run.start` gave. */
const RunId = z.string().min(1).max(200);
export const Concurrency = z.number().int().min(1).max(64);

export const runs = {
  /**
   * Plays episodes, so many at once. Of a run that has a name, what is over is not played again, and what a killed
   * program left open goes on. Every start is checked before the first begins.
   */
  'run.start': {
    ...OWNER_WRITES,
    input: z.strictObject({
      starts: z.array(StartEpisode).min(1).max(100_000),
      concurrency: Concurrency,
      /** They only find out something about their tasks. */
      probe: Probe.optional(),
    }),
    output: z.strictObject({
      run: RunId,
      planned: z.number().int(),
      /** Over before. */
      over: z.number().int(),
      /** Were open, and go on. */
      going_on: z.number().int(),
      /** Were open and could not go on: they ended as interrupted, and their tasks are played anew. */
      left: z.array(z.string()),
    }),
  },
  /** Resolves once something is new after so much of the news, or the run is over. */
  'run.wait': {
    ...OWNER_READS,
    input: z.strictObject({ run: RunId, after: z.number().int().nonnegative() }),
    output: z.strictObject({
      /**
       * Which episodes began, and which ended and how the run stood then, in order. One whose budget was spent before it
       * began has no event.
       */
      news: z.array(z.strictObject({ episode: z.string(), progress: RunProgress.nullable() })),
      is_over: z.boolean(),
      /** Why an episode could not begin, or the run could not go on. */
      failure: FailureShape.nullable(),
    }),
  },
  /** Begins no more of it and stops what plays; resolves when nothing of it does. */
  'run.stop': { ...OWNER_READS, input: z.strictObject({ run: RunId }), output: EmptyInput },
} as const;
