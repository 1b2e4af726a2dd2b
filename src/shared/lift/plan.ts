// The plan of a measurement of advice, fixed before anything runs: which answers it goes on from, by which rule they
// were drawn, and how often.
import { z } from 'zod';
import { AgentSpec, type LiftArm } from '../events/lifecycle.ts';
import { ActorType } from '../events/actor.ts';

/** Reasons not to draw from a step-in, or a whole episode. */
export const NotEligible = z.enum([
  /** The episode did not run here, has not ended, was played by a person, or is a probe or a continuation itself. */
  'other_episode',
  /** Its texts were erased. */
  'erased',
  /** No verifier gave its word on the episode: whether a continuation completes could not be told. */
  'no_verdict',
  /** Its reset was given a secret, which no log holds: a continuation would begin in another state. */
  'lost_secret',
  /** Nobody's words reached the agent: declined, out of time, or taken over. */
  'no_advice',
  /** It was given in the episode that this one branched off. */
  'copied',
  /** A brief comes before the first turn, and answers no question. */
  'brief',
  /** An advisor's word in place of a call the agent was unsure of. */
  'confidence',
  /** The question stood among several calls of one reply, of which a branch leaves the rest behind. */
  'several_calls',
  /** Moves of a person who took over, changed or rejected calls, and notes answer no question with fixed words. */
  'no_question',
]);
export type NotEligible = z.infer<typeof NotEligible>;

/** An answered question to go on from. */
export const LiftPoint = z.strictObject({
  episode: z.string(),
  consultation: z.string(),
  turn: z.number().int().positive(),
  /** The key of its environment: with scenario and number it tells the task. */
  environment: z.string(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  advised_by: ActorType,
  is_privileged: z.boolean(),
  /** The model that asked, where one did. */
  model: z.string().nullable(),
});
export type LiftPoint = z.infer<typeof LiftPoint>;

/** The request: the same again goes on with the same plan. */
export const LiftRequest = z.strictObject({
  /** One of these says where interventions come from: a run, single episodes, or the newest episodes. */
  run: z.string().nullable(),
  episodes: z.array(z.string()).nullable(),
  last: z.number().int().positive().nullable(),
  /** At most so many interventions; null for all. */
  points: z.number().int().positive().nullable(),
  /** Continuations with the advice, and as many without. */
  k: z.number().int().min(1).max(100),
  seed: z.number().int(),
  /** Who goes on, in the protocol of each episode; `policy` null: as each episode was played. */
  agent: z.strictObject({
    policy: AgentSpec.shape.policy.exclude(['human']).nullable(),
    model: z.string().nullable(),
    profile: z.string().optional(),
  }),
});
export type LiftRequest = z.infer<typeof LiftRequest>;

export const LiftPlan = z.strictObject({
  /** Also the name of its run: the library finds the continuations by it. */
  name: z.string().min(1).max(200),
  request: LiftRequest,
  points: z.array(LiftPoint).min(1),
  /** Interventions that could have been drawn, the drawn ones among them. */
  eligible: z.number().int(),
  /** What could not, by cause; a cause without one is absent. */
  not_eligible: z.partialRecord(NotEligible, z.number().int()),
});
export type LiftPlan = z.infer<typeof LiftPlan>;

/** Drawing of interventions, in words. */
export const DRAW_RULE =
  'All eligible interventions are put in an order drawn with the seed; from the front, each is taken whose episode has none yet.';

/** One continuation of the plan. */
export type LiftCell = { point: LiftPoint; arm: LiftArm; number: number };

/** Every continuation, point by point: the list itself says nothing of the order. */
export const cellsOfLift = ({ points, request: { k } }: LiftPlan): LiftCell[] =>
  points.flatMap((point) =>
    Array.from({ length: k }, (_, at) => at + 1).flatMap((number) =>
      (['with', 'without'] as const).map((arm) => ({ point, arm, number })),
    ),
  );

export const liftCellKey = (consultation: string, arm: LiftArm, number: number): string =>
  JSON.stringify([consultation, arm, number]);
