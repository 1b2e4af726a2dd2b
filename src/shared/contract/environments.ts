// The commands of environments: which there are, what each offers, and what a person sets for one.
import { z } from 'zod';
import { EnvironmentSpec, VerifierMode } from '../events/lifecycle.ts';
import { ScenarioOverview } from '../environmentOverview.ts';
import { FailureShape } from '../failureCodes.ts';
import { ConnectionSettings, HEADERS_MAX, HEADER_CHARS_MAX } from '../serverConnection.ts';
import { OWNER_READS, OWNER_WRITES, EmptyInput } from './row.ts';

const AuditId = z.string().min(1).max(100);
const AuditCheck = z.strictObject({
  name: z.string(),
  status: z.enum(['pass', 'warn', 'fail', 'skip']),
  evidence: z.string(),
});

const EnvironmentSettings = z.strictObject({
  /** What its agents are told of it; null where nobody said. */
  text: z.string().nullable(),
  /** What agents are told of the Agent World Model otherwise. */
  awm_text: z.string(),
  /** How its tasks are verified where a run does not say it: `own` for this environment, else `usual` of the settings. */
  verifier: z.strictObject({ own: VerifierMode.nullable(), usual: VerifierMode }),
  /** Whether drafts are tried there without a person asking; it takes an audit that saw two sessions kept apart. */
  tries: z.strictObject({
    is_allowed: z.boolean(),
    /** When an audit saw it last, and by what; null where the last one did not. */
    isolated: z.strictObject({ at: z.number(), proof: z.string() }).nullable(),
  }),
  /** How it is reached. Headers come out by name: their values never leave main. */
  connection: ConnectionSettings.extend({ headers: z.array(z.string()) }),
});
export type EnvironmentSettings = z.infer<typeof EnvironmentSettings>;

const ConnectionPatch = ConnectionSettings.extend({
  /** All there are from now on; a value that is null stays as it is stored. */
  headers: z
    .array(z.strictObject({ name: z.string().max(200), value: z.string().max(HEADER_CHARS_MAX).nullable() }))
    .max(HEADERS_MAX),
});
export type ConnectionPatch = z.infer<typeof ConnectionPatch>;

export const environments = {
  'environments.list': {
    ...OWNER_READS,
    input: EmptyInput,
    output: z.strictObject({ environments: z.array(EnvironmentSpec) }),
  },
  'environments.add': {
    ...OWNER_WRITES,
    input: z.strictObject({ name: z.string().min(1).max(80), url: z.string().min(1).max(2000) }),
    output: EnvironmentSpec,
  },
  /** What a person set for an added environment, and what holds where nothing is set. */
  'environment.read': {
    ...OWNER_READS,
    input: z.strictObject({ id: z.string() }),
    output: EnvironmentSettings,
  },
  'environment.change': {
    ...OWNER_WRITES,
    input: z.strictObject({
      id: z.string(),
      /** Null gives back what its kind needs; an empty text says nothing. */
      text: z.string().max(8_000).nullable().optional(),
      verifier: VerifierMode.nullable().optional(),
      tries: z.boolean().optional(),
      connection: ConnectionPatch.optional(),
    }),
    output: EnvironmentSettings,
  },
  'environments.remove': { ...OWNER_WRITES, input: z.strictObject({ id: z.string() }), output: EmptyInput },
  /** Opens a session, asks for the scenarios or a schema, closes it: says what answers at an address. */
  'environments.check': {
    ...OWNER_READS,
    input: z.strictObject({ url: z.string().min(1).max(2000) }),
    output: z.strictObject({
      name: z.string().nullable(),
      scenarios: z.number().int().nullable(),
      latency_ms: z.number(),
    }),
  },
  /** Tries on sessions of its own whether an environment keeps what `run` and a person count on. Takes up to minutes. */
  'environments.audit': {
    ...OWNER_READS,
    /** `id` names it, so that it can be watched, and given up, while it goes on. */
    input: z.strictObject({ environment: z.string(), id: AuditId.optional() }),
    output: z.strictObject({ checks: z.array(AuditCheck), is_cancelled: z.boolean() }),
  },
  /** How far an audit is; `running` is the check that is going on, null where no audit of this name is. */
  'environments.audit_progress': {
    ...OWNER_READS,
    input: z.strictObject({ id: AuditId }),
    output: z.strictObject({
      checks: z.array(AuditCheck),
      running: z.string().nullable(),
      total: z.number().int(),
    }),
  },
  /** What it offers as it lists it, and what the log shows of it. */
  'environments.overview': {
    ...OWNER_READS,
    reveals: ['verdict'],
    input: z.strictObject({ id: z.string() }),
    output: z.strictObject({
      scenarios: z.array(ScenarioOverview),
      /** Most called first; calls that went to the environment, and those of them that failed. */
      tools: z.array(z.strictObject({ name: z.string(), calls: z.number().int(), failed: z.number().int() })),
      /** Ended episodes, and how many of the newest were read. */
      episodes: z.strictObject({ read: z.number().int(), total: z.number().int() }),
      /** Those of which a verdict is in the counts. */
      tasks: z.array(
        z.strictObject({
          environment_key: z.string().optional(),
          scenario: z.string().nullable(),
          task_idx: z.number().int().nullable(),
        }),
      ),
      /** Why the environment could not list its scenarios: those that were played stand there. */
      failure: FailureShape.nullable(),
    }),
  },
  /** All of them with the texts of their tasks; `is_fresh` asks the server even if it was asked a moment ago. */
  'scenarios.list': {
    ...OWNER_READS,
    input: z.strictObject({ environment: z.string(), is_fresh: z.boolean() }),
    output: z.strictObject({
      scenarios: z.array(
        z.strictObject({ name: z.string(), description: z.string(), tasks: z.array(z.string()) }),
      ),
    }),
  },
  'tasks.list': {
    ...OWNER_READS,
    input: z.strictObject({ environment: z.string(), scenario: z.string() }),
    output: z.strictObject({
      tasks: z.array(
        z.strictObject({
          task_idx: z.number().int(),
          task: z.string(),
          difficulty: z.enum(['easy', 'medium', 'hard']).nullable(),
          is_ambiguous: z.boolean(),
        }),
      ),
    }),
  },
} as const;
