// From what a person chose to the plan of a bench, and what keeps a plan from being run.
import { createHash } from 'node:crypto';
import type { BenchChoice } from '../../shared/bench/choice.ts';
import type { BenchPlan } from '../../shared/bench/plan.ts';
import { canonical } from '../../shared/canonical.ts';
import { mayAsk } from '../../shared/conditions.ts';
import { Failure } from '../../shared/failure.ts';
import type { ListedTask } from '../../shared/split.ts';
import { taskNames, tasksAlsoIn } from '../../shared/splitFaults.ts';
import { seededRandom, shuffled } from '../../shared/statistics/random.ts';
import type { SettingsStore } from '../settings/settings.ts';

type Settings = Pick<SettingsStore, 'model' | 'roster'>;

/** `trained`: the tasks that the split lists to train on. */
export function planFrom(
  choice: BenchChoice,
  { tasks, trained }: { tasks: readonly ListedTask[]; trained: readonly ListedTask[] },
  settings: Settings,
): BenchPlan {
  const { name, arms: chosen, primary, seeds, first_seed: first, max_tasks: most, ...rest } = choice;
  const arms = chosen.map(({ arm, condition, agent: { policy, protocol, profile } }) => ({
    arm,
    condition,
    agent:
      policy === 'rehearsal'
        ? { policy, protocol, model: null }
        : {
            policy,
            protocol,
            model: settings.model('agent', profile ?? undefined)?.model ?? null,
            ...(profile === null ? {} : { profile }),
          },
  }));
  const experts = rosterFor(arms, settings);
  const planned = drawn(tasks, most ?? tasks.length, rest.order_seed);
  const leaked = rest.section === 'val' ? tasksAlsoIn(planned, trained) : [];
  const plan = {
    ...rest,
    tasks: planned,
    ...(leaked.length === 0 ? {} : { also_in_train: leaked }),
    arms,
    primary: primary ?? { first: arms[0]?.arm ?? '', second: arms.at(-1)?.arm ?? '' },
    seeds: Array.from({ length: seeds }, (_, at) => first + at),
    ...(experts === null ? {} : { experts }),
  };
  return { name: name ?? `bench-${digestOf(plan)}`, ...plan };
}

/** The same choice is the same bench: made again, it goes on with it. */
const digestOf = (plan: unknown): string =>
  createHash('sha256').update(canonical(plan)).digest('hex').slice(0, 8);

/** In the list's own order, so that the same tasks are the same plan. */
function drawn(tasks: readonly ListedTask[], wanted: number, seed: number): ListedTask[] {
  if (wanted >= tasks.length) return [...tasks];
  const chosen = new Set(shuffled(tasks, seededRandom(`tasks ${String(seed)}`)).slice(0, wanted));
  return tasks.filter((task) => chosen.has(task));
}

/** Null where nobody is in the roster, or no arm may ask. */
function rosterFor(
  arms: readonly Pick<BenchPlan['arms'][number], 'condition'>[],
  { roster }: Pick<Settings, 'roster'>,
): BenchPlan['experts'] | null {
  const now = roster();
  return now.experts.length === 0 || !arms.some(({ condition }) => mayAsk(condition)) ? null : now;
}

/** A bench goes on with the experts that it began with. Throws `bad_input` where the roster is another one now. */
export function checkRoster({ name, arms, experts }: BenchPlan, settings: Pick<Settings, 'roster'>): void {
  const now = rosterFor(arms, settings) ?? null;
  if (canonical(now) === canonical(experts ?? null)) return;
  throw new Failure(
    'bad_input',
    `the roster of experts is not the one that the bench ${name} was planned with`,
    {
      next: 'Put the roster back as it was (the plan holds it), or plan another bench.',
    },
  );
}

/** Throws `bad_input` where tasks that are to be held out are trained on too. */
export function checkHeldOut({ also_in_train: leaked = [] }: BenchPlan): void {
  if (leaked.length === 0) return;
  const which = `${taskNames(leaked)} ${leaked.length === 1 ? 'is' : 'are'}`;
  throw new Failure('bad_input', `the split leaks: ${which} in its val list and in its train list`, {
    next: 'Take them out of one of the lists. Or run `interject bench` with --allow-overlap: the plan and the report name them.',
  });
}

/** An advisor that sees neither criteria nor the answer has to be a model. Throws `model_not_configured`. */
export function checkAdvisors({ arms, is_privileged, experts }: BenchPlan, hasExpertModel: boolean): void {
  const drafted = arms.find(({ condition }) => condition === 'model' || condition === 'human+draft');
  const hasModel = hasExpertModel || experts?.experts.some(({ kind }) => kind === 'model') === true;
  if (drafted === undefined || is_privileged || hasModel) return;
  throw new Failure('model_not_configured', `nobody can draft advice for the arm ${drafted.arm}`, {
    next:
      'Set a model for the advisor. Or choose “Advisors see what is checked, and the answer” (on the command line ' +
      '--privileged): then the built-in reference advises, and the report says so.',
  });
}
