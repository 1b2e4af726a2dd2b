// The `validation:` block of a package's openenv.yaml, as OpenEnv's `validate` (0.10) reads it: its `static.manifest`.
import { z } from 'zod';

const Finite = z.number();
const Amount = Finite.min(0);
const More = Finite.gt(0);
const Count = z.int().gt(0);

const Reward = z
  .strictObject({
    range: z.tuple([Finite, Finite]).default([0, 1]),
    oracle_tolerance: Amount.max(0.1).default(0),
    floor_margin: Amount.min(0.1),
    variance_tolerance: Amount.max(0.2).nullish(),
  })
  .refine(({ range: [low, high] }) => low < high, {
    path: ['range'],
    message: 'the first must be less than the second',
  });

const Resources = z
  .strictObject({
    cpu: More,
    memory_mb: Count,
    disk_mb: Count,
    episode_timeout_s: More.max(3600),
    gpus: z.int().min(0).default(0),
    gpu_types: z.array(z.string()).default([]),
  })
  .refine(({ gpus, gpu_types }) => gpus > 0 || gpu_types.length === 0, {
    path: ['gpu_types'],
    message: 'gpus is 0',
  });

const Network = z
  .strictObject({
    mode: z.enum(['public', 'no-network', 'allowlist']).default('public'),
    allowed_hosts: z.array(z.string()).default([]),
  })
  .refine(({ mode, allowed_hosts }) => (mode === 'allowlist') === allowed_hosts.length > 0, {
    path: ['allowed_hosts'],
    message: 'hosts go with the mode “allowlist”, and it with them',
  });

const Verifier = z
  .strictObject({ kind: z.enum(['reward_channel', 'script']), entry: z.string().nullish() })
  .refine(({ kind, entry }) => (kind === 'script' ? typeof entry === 'string' : (entry ?? null) === null), {
    path: ['entry'],
    message: 'a script needs an entry, and nothing else has one',
  });

const Capabilities = z
  .strictObject({
    oracle: z.strictObject({ form: z.enum(['injected_state', 'script']), location: z.string() }).nullish(),
    verifier: Verifier,
    set_state: z.boolean().default(false),
    llm_judged: z.boolean().default(false),
    rubric_tree: z.boolean().default(false),
    task_api: z.boolean().default(false),
    canaries: z.string().nullish(),
    declared_tools: z.array(z.string()).default([]),
    declared_task_count: z.record(z.string(), z.int()).default({}),
  })
  .refine(({ oracle, set_state: setState }) => oracle?.form !== 'injected_state' || setState, {
    path: ['oracle'],
    message: 'the form “injected_state” needs set_state',
  });

const packagePath = (isFile: boolean) =>
  z
    .string()
    .refine((path) => path !== '' && !/[\\:\0]|^\/|(?:^|\/)\.\.(?:\/|$)/.test(path), {
      message: 'must be a path inside the package',
    })
    .refine((path) => !isFile || !/^(?:\.\/)*\.?$/.test(path), { message: 'must name a file' });

const Execution = z.strictObject({
  kind: z.literal('openenv_ws').default('openenv_ws'),
  probe_path: packagePath(true).default('validation/runtime.json'),
  dockerfile: packagePath(true).default('Dockerfile'),
  context: packagePath(false).default('.'),
  agent_boundary: z.literal('api').default('api'),
  requires_credentials: z.boolean().default(false),
});

const JudgePin = z.strictObject({
  model: z.string(),
  version: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
});

const Block = z
  // What stands beside these in the block is not read.
  .object({
    reward: Reward,
    resources: Resources,
    capabilities: Capabilities,
    types: z.strictObject({ tags: z.array(z.string().min(1)).min(1) }),
    network: Network.nullish(),
    execution: Execution.optional(),
    judge: JudgePin.nullish(),
    task_distribution: z
      .strictObject({
        generator_seed: z.int().nullish(),
        dataset_version: z.string().nullish(),
        generator_model: z.string().nullish(),
      })
      .nullish(),
  })
  .refine(({ capabilities, judge }) => capabilities.llm_judged !== ((judge ?? null) === null), {
    path: ['judge'],
    message: 'a judge is pinned where llm_judged is true, and only there',
  })
  .refine(
    ({ capabilities, reward }) => !capabilities.llm_judged || typeof reward.variance_tolerance === 'number',
    {
      path: ['reward', 'variance_tolerance'],
      message: 'is required where llm_judged is true',
    },
  );

/** Faults by `openenv validate`, each with its place; empty where it would accept all. */
export function validationBlockFaults(block: unknown): string[] {
  if (block === undefined || block === null) return ['there is no `validation:` block'];
  const parsed = Block.safeParse(block);
  if (parsed.success) return [];
  return parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join('.') || 'validation'}: ${message}`,
  );
}
