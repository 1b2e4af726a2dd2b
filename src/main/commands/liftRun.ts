// How a continuation of a measurement is run, and what is kept of it when it is over.
import { createHash } from 'node:crypto';
import { ADMIT_EVERYTHING, type AgentSpec } from '../../shared/events/lifecycle.ts';
import type { Text } from '../../shared/events/text.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { Failure } from '../../shared/failure.ts';
import type { LiftExclusion } from '../../shared/lift/intervention.ts';
import type { LiftCell, LiftPlan } from '../../shared/lift/plan.ts';
import type { Continuation } from '../../shared/lift/summarize.ts';
import { seededRandom } from '../../shared/statistics/random.ts';
import { NO_APPROVAL } from '../episode/stage.ts';
import type { RunSpec } from '../episode/stage.ts';
import { exclusionOf } from './benchObserve.ts';
import { continued } from './world.ts';

/** Starts that failed for a moment are tried again so often. */
const START_RETRIES = 4;
const SEED_MAX = 2 ** 31;

/** `modelOf`: the model that acts for a profile now. Throws `model_not_configured` where there is none. */
export type ModelOfProfile = (profile: string | undefined) => string | null;

/** Both arms alike, but for the answer: the budgets of the episode, nobody at the desk, a seed of its own. */
export function liftSpec(
  record: EpisodeRecord,
  plan: LiftPlan,
  { point, arm, number }: LiftCell,
  modelOf: ModelOfProfile,
): RunSpec {
  const { confidence = null, ...spec } = continued(record, {
    episode: record.id,
    turn: point.turn,
    why: 'fork',
  });
  const { consultation, episode } = point;
  // By its place in the plan: ids differ from log to log, and the same plan draws the same.
  const at = plan.points.findIndex((one) => one.consultation === consultation);
  const place = `${String(plan.request.seed)} ${String(at)} ${arm} ${String(number)}`;
  return {
    ...spec,
    agent: agentOf(plan, spec.agent, modelOf),
    seed: Math.floor(seededRandom(place)() * SEED_MAX),
    repeat: number - 1,
    group: null,
    run: plan.name,
    deadline_ms: null,
    fallback: 'proceed',
    admission: ADMIT_EVERYTHING,
    approval: NO_APPROVAL,
    // It is stated, as before, and no call waits for a person because of it.
    confidence: confidence === null ? null : { ...confidence, below: null },
    startRetries: START_RETRIES,
    lift: { lift: plan.name, episode, consultation, arm, number },
  };
}

function agentOf({ request }: LiftPlan, recorded: AgentSpec, modelOf: ModelOfProfile): AgentSpec {
  const { policy, profile } = request.agent;
  const { model: _model, profile: _profile, ...form } = recorded;
  if ((policy ?? recorded.policy) === 'rehearsal') return { ...form, policy: 'rehearsal', model: null };
  const own = policy === null ? recorded.profile : profile;
  const model = modelOf(own);
  if (model === null)
    throw new Failure('model_not_configured', 'no model is set for the agent that is to go on', {
      next: 'Set one under Settings or with --agent-model, or choose --agent rehearsal.',
    });
  return { ...form, policy: 'chat', model, ...(own === undefined ? {} : { profile: own }) };
}

/** Null for an episode that is no continuation, or has not ended. */
export function observeContinuation(
  record: EpisodeRecord,
  loadText: (text: Text) => string,
): Continuation | null {
  const { started, ended, verified, turns } = record;
  if (started?.lift === undefined || ended === null) return null;
  const { consultation, arm, number } = started.lift;
  const label = ended.reward_type ?? verified?.reward_type ?? null;
  const did = turns
    .filter(({ isCopied }) => !isCopied)
    .map(({ content, toolCalls }) => [
      loadText(content),
      toolCalls.map(({ name, arguments: args }) => [name, args]),
    ]);
  return {
    consultation,
    arm,
    number,
    exclusion: liftExclusion(record),
    isComplete: label === 'complete',
    transcript: createHash('sha256').update(JSON.stringify(did)).digest('hex'),
    model: started.agent.model,
    isRehearsal: started.agent.policy === 'rehearsal',
  };
}

/** Why a continuation counts in no figure; null for one that does. */
export function liftExclusion(record: EpisodeRecord): LiftExclusion | null {
  const label = record.ended?.reward_type ?? record.verified?.reward_type ?? null;
  if ((record.forked?.drift.length ?? 0) > 0) return 'drifted';
  const cause = exclusionOf(record, label);
  if (cause !== null) return cause;
  return record.counts.humanActs > 0 ? 'step_in' : null;
}
