// Plans and episodes of a bench as they would be observed, written down instead of run.
import type { Observed } from '../../src/shared/bench/observed.ts';
import { cellsOf, type BenchCell, type BenchPlan } from '../../src/shared/bench/plan.ts';

const REHEARSAL = { policy: 'rehearsal', protocol: 'native', model: null } as const;

export const benchPlan = (over: Partial<BenchPlan> = {}): BenchPlan => ({
  name: 'pinned',
  environment: 'builtin',
  section: 'val',
  tasks: Array.from({ length: 33 }, (_, at) => ['loomline_workflows', at] as [string, number]),
  arms: [
    { arm: 'none', condition: 'none', agent: REHEARSAL },
    { arm: 'model', condition: 'model', agent: REHEARSAL },
  ],
  primary: { first: 'none', second: 'model' },
  seeds: [0],
  order_seed: 0,
  is_privileged: true,
  turns: null,
  asks: null,
  hourly_minutes: null,
  deadline_ms: null,
  fallback: 'proceed',
  ...over,
});

export const observedEpisode = (cell: BenchCell, over: Partial<Observed> = {}): Observed => ({
  ...cell,
  exclusion: null,
  isComplete: false,
  reward: 0,
  measures: {
    shaped_reward: 0,
    steps: 4,
    format_errors: 0,
    tool_errors: 0,
    asks: null,
    blind: null,
    recovery: null,
    uptake: null,
    expert_minutes: null,
    input_tokens: null,
    output_tokens: null,
    cost: null,
  },
  components: { primary: 0, process: 0.5 },
  currency: null,
  model: null,
  isRehearsal: true,
  answered: { human: 0, model: 0, scripted: 0, nobody: 0 },
  isPrivileged: false,
  seats: [],
  prompt: ['system: Work.', 'user: The task.'],
  ...over,
});

/** Every episode of the plan, each as it is told. */
export const observedEpisodes = (
  plan: BenchPlan,
  tell: (cell: BenchCell) => Partial<Observed> = () => ({}),
): Observed[] => cellsOf(plan).map((cell) => observedEpisode(cell, tell(cell)));
