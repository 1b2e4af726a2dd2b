// Whether a split may be pinned under its name: one that holds other tasks under it keeps its hold.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { comparedKey } from '../../shared/environmentKinds.ts';
import { Failure } from '../../shared/failure.ts';
import type { ListedTask, SplitManifest } from '../../shared/split.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import type { SplitBy, SplitRequest } from '../dataset/split/makeManifest.ts';

/** What a split is made of, as far as it is known before anything is played. */
export type AskedSplit = Pick<SplitRequest, 'environment' | 'by' | 'fraction' | 'seed' | 'probe'> & {
  candidates: readonly { scenario: string; task_idx: number }[];
};

export type Hold = {
  /** Throws `bad_input` where another split is pinned under the name. */
  checkAsked: (asked: AskedSplit) => void;
  /** Throws `bad_input` where the split that is pinned under the name holds other tasks than these. */
  checkMade: (made: SplitManifest) => void;
};

const PinnedMeta = z.looseObject({
  environment: z.string().nullable(),
  val_fraction: z.number(),
  seed: z.number(),
  split_by: z.string(),
  split_by_reason: z.string().nullable(),
  probe: z.looseObject({ agent: z.string(), rollouts: z.number() }).nullable(),
  dropped_tasks: z.array(z.tuple([z.string(), z.number(), z.string()])),
});

/** `held`: what stands under the name now; null for nothing, or where the split is not to be pinned. */
export function holdOf(name: string, held: SplitManifest | null): Hold {
  const refuse = (): never => {
    throw new Failure('bad_input', `the split ${name} holds other tasks in this data folder already`, {
      next: `Say --name OTHER to hold both, or end the first hold with: interject bench split --unpin ${name}`,
    });
  };
  return {
    checkAsked: (asked) => {
      if (held !== null && !isSameCommand(held, asked)) refuse();
    },
    checkMade: (made) => {
      if (held !== null && !isDeepStrictEqual(heldIn(held), heldIn(made))) refuse();
    },
  };
}

const sorted = (tasks: readonly (readonly [string, number, ...unknown[]])[]): string[] =>
  tasks.map(([scenario, index]) => JSON.stringify([normalizeScenario(scenario), index])).toSorted();

const keyOf = (environment: string | null): string | null =>
  environment === null ? null : comparedKey(environment);

const heldIn = ({ meta, val }: SplitManifest): { environment: string | null; val: string[] } => ({
  environment: keyOf(meta?.environment ?? null),
  val: sorted(val),
});

function isSameCommand(held: SplitManifest, asked: AskedSplit): boolean {
  const { success, data: meta } = PinnedMeta.safeParse(held.meta);
  if (!success) return false;
  const { environment, fraction, seed, by, probe } = asked;
  const candidates = asked.candidates.map(({ scenario, task_idx }): ListedTask => [scenario, task_idx]);
  return (
    keyOf(meta.environment) === keyOf(environment) &&
    meta.val_fraction === fraction &&
    meta.seed === seed &&
    isSameUnit(meta, by) &&
    meta.probe?.agent === probe?.agent &&
    meta.probe?.rollouts === probe?.rollouts &&
    isDeepStrictEqual(sorted([...held.train, ...held.val, ...meta.dropped_tasks]), sorted(candidates))
  );
}

const isSameUnit = (
  { split_by: unit, split_by_reason: reason }: z.infer<typeof PinnedMeta>,
  asked: SplitBy | null,
): boolean => (asked === null ? reason !== 'asked for' : unit === asked);
