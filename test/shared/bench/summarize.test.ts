import { describe, expect, it } from 'vitest';
import { checkPlan } from '../../../src/shared/bench/plan.ts';
import { headlineOf, reportOf } from '../../../src/shared/bench/report.ts';
import { summarize } from '../../../src/shared/bench/summarize.ts';
import { BenchSummary } from '../../../src/shared/bench/summary.ts';
import { seededRandom } from '../../../src/shared/statistics/random.ts';
import { benchPlan, observedEpisodes } from '../../support/observedEpisodes.ts';

const FIVE = [0, 1, 2, 3, 4];
const measuresWith = (over: object) => ({
  measures: { ...observedEpisodes(benchPlan())[0]!.measures, ...over },
});

it('one run of each task 1 of 33 against 1 of 33 gives 0, and says as plainly as a difference that none is shown', () => {
  const plan = benchPlan();
  const summary = summarize(
    plan,
    observedEpisodes(plan, ({ task_idx }) => ({ isComplete: task_idx === 5 })),
  );

  const { primary, arms } = summary;
  expect(primary).toMatchObject({ estimate: 0, p: 1, test: 'mcnemar_exact', is_shown: false, tasks: 33 });
  expect(primary.interval?.low).toBeLessThan(0);
  expect(primary.interval?.high).toBeGreaterThan(0);
  expect(primary.pairs).toEqual({ both: 1, only_first: 0, only_second: 0, neither: 32 });
  expect(primary.says).toMatch(
    /^Verifier completion: no difference shown between none and model \(0\.0 points;/,
  );
  expect(arms[0]?.completion).toMatchObject({ method: 'wilson', estimate: 1 / 33 });
  expect(headlineOf(summary)).toContain(primary.says);
  expect(reportOf(summary)).toContain(`**${primary.says}**`);
  expect(primary.power.says).toMatch(
    /could have shown a difference of 2\d\.\d points or more: four times of five/,
  );
});

describe('several runs of each task', () => {
  it.each([
    [5, 'With so few tasks, this bench could not have shown any difference.'],
    [12, 'With fewer than 20 tasks, what this bench could have shown is not stated.'],
  ])('states no power of %i tasks, and says so', (count, says) => {
    const plan = benchPlan({ seeds: FIVE, tasks: benchPlan().tasks.slice(0, count) });
    const { primary } = summarize(
      plan,
      observedEpisodes(plan, ({ arm, seed, task_idx }) => ({
        isComplete: (seed + task_idx) % 3 === 0 || arm === 'model',
      })),
    );
    expect(primary.power).toMatchObject({ least_difference: null, says });
  });

  it('are one value per task: the same outcomes five times show no more than once', () => {
    const isComplete = ({ arm, task_idx }: { arm: string; task_idx: number }): boolean =>
      arm === 'model' && task_idx < 5;
    const once = benchPlan();
    const often = benchPlan({ seeds: FIVE });
    const [one, five] = [once, often].map((plan) =>
      summarize(
        plan,
        observedEpisodes(plan, (cell) => ({ isComplete: isComplete(cell) })),
      ),
    );

    // Pooled over runs, 25 of 165 against 0 of 165 would count as sure.
    expect(one?.primary.p).toBeCloseTo(0.0625, 12);
    expect(five?.primary.p).toBeCloseTo(0.0625, 12);
    expect(five?.primary).toMatchObject({
      is_shown: false,
      test: 'sign_flip_exact',
      interval_method: 'sign_flip',
    });
  });

  it('give the same bytes for the same episodes, in whatever order they ended', () => {
    const plan = benchPlan({ seeds: FIVE });
    const random = seededRandom(3);
    const episodes = observedEpisodes(plan, ({ arm }) => ({
      isComplete: random() < (arm === 'model' ? 0.6 : 0.3),
    }));

    const summary = summarize(plan, episodes);

    expect(JSON.stringify(summarize(plan, episodes.toReversed()))).toBe(JSON.stringify(summary));
    expect(BenchSummary.parse(summary)).toEqual(summary);
  });

  it('that came out equal in two arms, in the same tasks or in others, have equal intervals', () => {
    const arms = ['none', 'model', 'again'].map((arm) => ({ ...benchPlan().arms[0]!, arm }));
    const plan = benchPlan({ arms, seeds: FIVE });
    const solved = (at: number, seed: number): boolean => seed < at % 6;
    const { arms: found } = summarize(
      plan,
      observedEpisodes(plan, ({ arm, task_idx, seed }) => ({
        isComplete: solved(arm === 'again' ? 32 - task_idx : task_idx, seed),
      })),
    );

    expect(found[0]?.completion).toMatchObject({ method: 'bootstrap' });
    expect(found[1]?.completion.interval).toEqual(found[0]?.completion.interval);
    expect(found[2]?.completion.interval).toEqual(found[0]?.completion.interval);
  });

  it('that differ alike have the same p and interval, whatever the arms and the measure are called', () => {
    const plan = benchPlan({ seeds: FIVE });
    const { secondary } = summarize(
      plan,
      observedEpisodes(plan, ({ arm, task_idx }) => {
        const value = arm === 'none' ? 1 : 1 + Math.sin(task_idx * task_idx);
        return measuresWith({ steps: value, tool_errors: value });
      }),
    );
    const [steps, errors] = ['steps', 'tool_errors'].map((name) =>
      secondary.find(({ outcome }) => outcome === name),
    );

    expect(errors).toMatchObject({ test: 'sign_flip_monte_carlo', p: steps?.p, interval: steps?.interval });
  });

  it('that all came out alike have an interval nevertheless', () => {
    const plan = benchPlan({ seeds: FIVE });
    const { arms, primary } = summarize(plan, observedEpisodes(plan));

    expect(arms[0]?.completion).toMatchObject({ estimate: 0, method: 'wilson' });
    expect(arms[0]?.completion.interval?.high).toBeGreaterThan(0.05);
    expect(primary).toMatchObject({ estimate: 0, interval: null, p: 1, is_shown: false });
  });
});

describe('the claim, its interval and its p', () => {
  const claimOf = (seeds: number[], solved: number) => {
    const plan = benchPlan({ seeds, tasks: benchPlan().tasks.slice(0, 7) });
    const episodes = observedEpisodes(plan, ({ arm, task_idx }) => ({
      isComplete: arm === 'model' && task_idx < solved,
    }));
    return summarize(plan, episodes).primary;
  };

  it.each([
    ['four of seven tasks over five runs', FIVE, 4],
    ['six of seven tasks over five runs', FIVE, 6],
    ['four of seven tasks of one run', [0], 4],
    ['five of seven tasks of one run', [0], 5],
    ['six of seven tasks of one run', [0], 6],
  ])('agree: %s', (_what, seeds, solved) => {
    const { interval, p, is_shown: isShown } = claimOf(seeds, solved);
    const leavesZeroOut = (interval?.low ?? 0) > 0 || (interval?.high ?? 0) < 0;
    expect(leavesZeroOut).toBe(isShown);
    expect(isShown).toBe((p ?? 1) < 0.05);
  });

  it('of a share stay within what a share can be, and others have no interval where it has no end', () => {
    const plan = benchPlan({ seeds: FIVE, tasks: benchPlan().tasks.slice(0, 5) });
    const { primary, secondary } = summarize(
      plan,
      observedEpisodes(plan, ({ arm, task_idx }) => ({
        isComplete: arm === 'model' && task_idx < 2,
        ...measuresWith({ steps: arm === 'model' && task_idx < 2 ? 9 : 4 }),
      })),
    );
    expect(primary.interval).toEqual({ low: -1, high: 1 });
    const steps = secondary.find(({ outcome }) => outcome === 'steps');
    expect(steps).toMatchObject({ interval: null, interval_method: null });
    expect(primary.says).toContain('95 % interval −100.0 to 100.0');
  });
});

describe('what stands beside completion', () => {
  it('is adjusted together, and shaped reward is diagnostic and no headline', () => {
    const plan = benchPlan({ seeds: FIVE });
    const summary = summarize(
      plan,
      observedEpisodes(plan, ({ arm, task_idx }) =>
        measuresWith({
          shaped_reward: arm === 'model' ? 1 : 0,
          steps: arm === 'model' && task_idx < 6 ? 5 : 4,
        }),
      ),
    );

    const found = (outcome: string) => summary.secondary.find((one) => one.outcome === outcome);
    // Six tasks of a kind: 0.031 alone, no claim among several.
    expect(found('steps')).toMatchObject({ p: 0.031_25, is_shown: false, is_diagnostic: false });
    expect(found('steps')?.says).toMatch(
      /no difference shown .*95 % interval by itself .*adjusted p = 0\.\d+, 33/,
    );
    expect(found('shaped_reward')).toMatchObject({ is_shown: true, is_diagnostic: true });
    expect(summary.primary.is_shown).toBe(false);
    expect(headlineOf(summary).join('\n')).not.toContain('haped');
    // Nobody could ask without an expert: that is not compared.
    expect(found('asks')).toBeUndefined();
  });

  it('leaves episodes out by cause, and drops a task only from the arm that lacks it', () => {
    const plan = benchPlan({ seeds: FIVE });
    const summary = summarize(
      plan,
      observedEpisodes(plan, ({ arm, task_idx, seed }) => ({
        exclusion:
          task_idx === 0 && arm === 'model'
            ? 'content_filter'
            : task_idx === 1 && seed === 0
              ? 'server_error'
              : null,
      })),
    );

    expect(summary.arms[1]).toMatchObject({ episodes: 165, counted: 159, tasks: 32 });
    expect(summary.arms[1]?.excluded).toMatchObject({ content_filter: 5, server_error: 1, reset_error: 0 });
    expect(summary.primary.tasks).toBe(32);
    expect(summary.tasks[1]?.arms[0]).toMatchObject({ runs: 4, excluded: 1 });
    expect(summary.is_complete).toBe(true);
    expect(reportOf(summary)).toContain('content_filter');
  });

  it('names scripts as scripts, rehearsals as rehearsals and privileged advice as privileged', () => {
    const plan = benchPlan({
      arms: [
        ...benchPlan().arms.slice(0, 1),
        { arm: 'human+draft', condition: 'human+draft', agent: benchPlan().arms[0]!.agent },
      ],
      primary: { first: 'none', second: 'human+draft' },
    });
    const answered = { human: 0, model: 0, scripted: 1, nobody: 0 };
    const summary = summarize(
      plan,
      observedEpisodes(plan, ({ arm }) => (arm === 'none' ? {} : { answered, isPrivileged: true })),
    );

    expect(summary.arms.map(({ label, kind }) => [label, kind])).toEqual([
      ['none', 'solo'],
      ['human+draft(scripted)', 'assisted'],
    ]);
    expect(summary.cautions.join('\n')).toMatch(
      /^REHEARSAL: .*\nPRIVILEGED: in human|^REHEARSAL[^]*PRIVILEGED/,
    );
    // Solo and assisted arms stand in tables of their own.
    const [solo = '', assisted = ''] = reportOf(summary).split('## Verifier completion: ').slice(1);
    expect(solo).not.toContain('human+draft(scripted) |');
    expect(assisted.split('\n## ')[0]).not.toMatch(/\| none /);
  });
});

describe('the prompts of two arms', () => {
  const promptsOf = (line: string) => {
    const plan = benchPlan();
    return summarize(
      plan,
      observedEpisodes(plan, ({ arm }) =>
        arm === 'none' ? {} : { prompt: ['system: Work.', line, 'user: The task.'] },
      ),
    );
  };

  it('are the same but for the tool that asks an expert, and the lines are printed', () => {
    const summary = promptsOf('tool: {"name":"ask_expert"}');

    expect(summary.prompts).toEqual({
      is_only_tool: true,
      differences: [{ first: 'none', second: 'model', lines: ['+ tool: {"name":"ask_expert"}'] }],
    });
    expect(reportOf(summary)).toContain('+ tool: {"name":"ask_expert"}');
  });

  it('that differ in anything else are called so', () => {
    const summary = promptsOf('system: Think harder.');

    expect(summary.prompts.is_only_tool).toBe(false);
    expect(summary.cautions.join('\n')).toContain('differ in more than the tool');
  });
});

it.each([
  [
    'a primary comparison of arms it does not have',
    { primary: { first: 'none', second: 'human' } },
    /names no two/,
  ],
  [
    'a task twice',
    {
      tasks: [
        ['w', 0],
        ['w', 0],
      ] as [string, number][],
    },
    /listed twice/,
  ],
  ['a seed twice', { seeds: [1, 1] }, /seed is listed twice/],
  [
    'agents and conditions that differ at once',
    {
      arms: [
        benchPlan().arms[0]!,
        {
          arm: 'model',
          condition: 'model' as const,
          agent: { policy: 'chat' as const, protocol: 'native' as const, model: 'other' },
        },
      ],
    },
    /differ at once/,
  ],
  [
    'a brief, which needs an earlier run',
    { arms: [benchPlan().arms[0]!, { ...benchPlan().arms[1]!, condition: 'brief' as const }] },
    /earlier run/,
  ],
])('is not planned with %s', (_what, over, message) => {
  expect(() => checkPlan(benchPlan(over))).toThrow(message);
});

it('the report prints every line in which prompts differ whole, however long', () => {
  const plan = benchPlan();
  const long = `user: ${'word '.repeat(200)}end`;
  const summary = summarize(
    plan,
    observedEpisodes(plan, ({ arm }) => (arm === 'model' ? { prompt: ['system: Work.', long] } : {})),
  );

  expect(reportOf(summary)).toContain(`+ ${long}`);
});
