// One episode as `results_summary.json` of its report holds it: no time, no path, the same bytes from the same episode.
import { z } from 'zod';
import { Condition, Outcome } from '../events/lifecycle.ts';
import { outcomeOf, outcomeText } from '../taskOutcome.ts';
import { helpOf } from './help.ts';
import type { EpisodeRecord } from './record.ts';
import { taskLine, WalkthroughStep, walkthroughOf } from './walkthrough.ts';

export const EPISODE_SUMMARY_VERSION = 1;
const RewardPoint = z.strictObject({
  turn: z.number().int(),
  reward: z.number(),
  /** Of this step and those before it. */
  total: z.number(),
});
export type RewardPoint = z.infer<typeof RewardPoint>;
export const EpisodeSummary = z.strictObject({
  kind: z.literal('interject.episode'),
  version: z.literal(EPISODE_SUMMARY_VERSION),
  episode: z.string(),
  environment: z.string().nullable(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  task: z.string(),
  condition: Condition.nullable(),
  policy: z.string().nullable(),
  model: z.string().nullable(),
  seed: z.number().int().nullable(),
  turns: z.number().int(),
  /** Questions that got advice. */
  advised: z.number().int(),
  /** What people did to it, advice included. */
  human_acts: z.number().int(),
  /** `unknown`: none is seen, and there may have been some that nobody recorded. */
  help: z.enum(['none', 'advised', 'unknown']),
  /** Null while it runs. */
  outcome: Outcome.nullable(),
  /** The verifier's word, and the reward it gave; null where it did not run. */
  verdict: z.string().nullable(),
  reward: z.number().nullable(),
  /** Of the steps that gave one. */
  rewards: z.array(RewardPoint),
  walkthrough: z.array(WalkthroughStep),
});
export type EpisodeSummary = z.infer<typeof EpisodeSummary>;

export function episodeSummary(record: EpisodeRecord): EpisodeSummary {
  const { started, verified, ended, turns, consultations } = record;
  return {
    kind: 'interject.episode',
    version: EPISODE_SUMMARY_VERSION,
    episode: record.id,
    environment: started?.environment.name ?? null,
    scenario: started?.scenario ?? record.reset?.scenario ?? null,
    task_idx: started?.task_idx ?? record.reset?.task_idx ?? null,
    task: taskLine(record),
    condition: started?.condition ?? null,
    policy: started?.agent.policy ?? null,
    model: started?.agent.model ?? null,
    seed: started?.seed ?? null,
    turns: turns.length,
    advised: consultations.filter(({ decision }) => decision?.type === 'approved').length,
    human_acts: record.counts.humanActs,
    help: helpOf(record).known,
    outcome: ended?.outcome ?? null,
    verdict: verified?.reward_type ?? null,
    reward: verified?.reward ?? ended?.reward ?? null,
    rewards: rewardsOf(record),
    walkthrough: walkthroughOf(record),
  };
}

/** The steps that gave a reward, and what they come to so far. */
export function rewardsOf({ turns }: Pick<EpisodeRecord, 'turns'>): RewardPoint[] {
  let total = 0;
  return turns.flatMap(({ turn, call }) => {
    const reward = call?.returned?.reward ?? null;
    if (reward === null || !Number.isFinite(reward)) return [];
    total = Number((total + reward).toPrecision(12));
    return [{ turn, reward, total }];
  });
}

/** The outcome in one sentence: a verdict is the verifier's, and where there is none it says so. */
export function outcomeSentence(summary: EpisodeSummary): string {
  const { verdict, turns, outcome } = summary;
  const after = `after ${String(turns)} ${turns === 1 ? 'turn' : 'turns'}; ${helpWords(summary)}`;
  if (verdict !== null) return `${outcomeText(outcomeOf(verdict))} ${after}`;
  return `${outcome === null ? 'Running' : 'Not verified'} ${after}`;
}

function helpWords({ help, advised, human_acts: acts }: EpisodeSummary): string {
  if (help === 'none') return 'nobody helped';
  if (advised > 0) return `advice came ${advised === 1 ? 'once' : `${String(advised)} times`}`;
  if (acts > 0) return 'a person stepped in';
  return help === 'unknown' ? 'help may have gone unrecorded' : 'an expert was asked, no advice came';
}
