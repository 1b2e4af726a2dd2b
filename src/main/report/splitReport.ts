// The report of a split: which scenarios it has, how hard they are, and what is held out.
import { z } from 'zod';
import { environmentOverview } from '../../figures/environmentOverview.ts';
import { formatPercent } from '../../figures/text.ts';
import {
  OverviewDifficulty,
  overviewOfSplit,
  type ScenarioOverview,
  type SplitSummary,
} from '../../shared/environmentOverview.ts';
import { countText } from '../../shared/countText.ts';
import type { ListedTask, SplitManifest } from '../../shared/split.ts';
import { faultsOfSplit, taskNames } from '../../shared/splitFaults.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import { markdownTable, plain, type ReportContent } from './report.ts';

/** `unknown`: listed tasks that their environment, where it is known here, does not have. */
export function splitReport(
  name: string,
  manifest: SplitManifest,
  unknown: readonly ListedTask[] = [],
): ReportContent {
  const scenarios = overviewOfSplit(manifest);
  const { train, val } = manifest;
  const faults = faultsIn(manifest, unknown);
  const probe = probeWords(manifest);
  const all = train.length + val.length;
  return {
    title: `Split ${name}`,
    warnings: faults.map(({ says, tasks }) => `${says} ${tasks}.`),
    sections: [
      [
        ...faults.map(({ says, tasks }) => `**${says}** ${plain(tasks)}.`),
        `**${countText(train.length, 'task')} to train on, ${String(val.length)} held out (${all === 0 ? '–' : formatPercent(val.length / all)}).**`,
        sharedWords(manifest),
        ...droppedWords(manifest),
        ...probe,
      ].join('\n\n'),
      scenarioSection(scenarios),
      READING,
    ],
    drawings: [environmentOverview(scenarios, probe)],
    summary: {
      kind: 'interject.split_overview',
      version: 1,
      split: name,
      scenarios,
      manifest,
    } satisfies SplitSummary,
  };
}

/** The faults of an unsound split, before anything else is said of it. */
function faultsIn(
  manifest: SplitManifest,
  unknown: readonly ListedTask[],
): { says: string; tasks: string }[] {
  const { inBoth, twiceInTrain, twiceInVal } = faultsOfSplit(manifest);
  const found: [readonly ListedTask[], string][] = [
    [inBoth, 'on both sides: this split leaks, and a figure on its held-out tasks says nothing.'],
    [twiceInTrain, 'listed twice to train on.'],
    [twiceInVal, 'listed twice as held out.'],
    [unknown, 'not among the built-in worlds.'],
  ];
  return found
    .filter(([tasks]) => tasks.length > 0)
    .map(([tasks, says]) => ({
      says: `${countText(tasks.length, 'task')} ${tasks.length === 1 ? 'is' : 'are'} ${says}`,
      tasks: taskNames(tasks),
    }));
}

function sharedWords({ train, val }: SplitManifest): string {
  const [trained, held] = [train, val].map(
    (list) => new Set(list.map(([scenario]) => normalizeScenario(scenario))),
  ) as [Set<string>, Set<string>];
  const all = new Set([...trained, ...held]).size;
  const cut = [...trained].filter((name) => held.has(name)).length;
  return cut === 0
    ? 'No scenario is on both sides, so no task that trains shares a database with a held-out one.'
    : `${all === 1 ? 'The one scenario is' : `${String(cut)} of ${countText(all, 'scenario')} ${cut === 1 ? 'is' : 'are'}`} on both sides. Tasks of one scenario share its database, so what is learnt on one side helps on the other.`;
}

function droppedWords({ meta }: SplitManifest): string[] {
  const dropped = Object.entries(meta?.['dropped'] ?? {}).map(
    ([cause, count]) => `${String(count)} ${plain(cause.replaceAll('_', ' '))}`,
  );
  return dropped.length === 0 ? [] : [`Left out before the split: ${dropped.join(', ')}.`];
}

const Probe = z.looseObject({
  agent: z.string(),
  rollouts: z.number().int(),
  is_all_zero: z.boolean().catch(false).default(false),
});

/** The agent tried for the difficulties: what a script completes says nothing of a model. */
function probeWords({ meta }: SplitManifest): string[] {
  const probe = Probe.safeParse(meta?.['probe']).data;
  if (probe === undefined) return [];
  const { agent, rollouts, is_all_zero: isAllZero } = probe;
  const who = agent === 'rehearsal' ? 'rehearsal (scripted: a script acted, no model)' : agent;
  return [
    `Tried without help by ${who}, ${countText(rollouts, 'rollout')} of each task.`,
    ...(isAllZero
      ? [
          `No rollout of ${agent} completed a task: too weak an agent or too hard tasks to train on rewards alone.`,
        ]
      : []),
  ];
}

function scenarioSection(scenarios: readonly ScenarioOverview[]): string {
  const rows = scenarios.map((one) => [
    plain(one.name),
    String(one.tasks),
    String(one.train ?? 0),
    String(one.held_out ?? 0),
    OverviewDifficulty.options
      .flatMap((level) =>
        one.difficulty[level] === undefined ? [] : [`${level} ${String(one.difficulty[level])}`],
      )
      .join(', '),
    one.verifier === null ? '–' : plain(one.verifier),
    one.solo_runs === 0 ? '–' : `${String(one.solo_completed)} of ${String(one.solo_runs)}`,
  ]);
  return `## Scenarios\n\n${markdownTable(
    ['Scenario', 'Tasks', 'Train', 'Held out', 'Difficulty', 'Verifier', 'Complete without help'],
    rows,
  )}`;
}

const READING = [
  '## How to read it',
  '- Difficulty is that of the manifest: by the share of completed zero-shot rollouts, or where none completed anything, as the author of the task states it.',
  '- “unknown” is a task of which the manifest tells no difficulty, as in the public recipe’s own form.',
].join('\n');
