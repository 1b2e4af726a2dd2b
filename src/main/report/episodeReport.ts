// The report of one episode: its task step by step, and what came of it.
import { walkthroughFigure } from '../../figures/walkthrough.ts';
import { formatNumber } from '../../figures/text.ts';
import { type EpisodeSummary, outcomeSentence } from '../../shared/episode/summary.ts';
import { outcomeOf, outcomeText } from '../../shared/taskOutcome.ts';
import { markdownTable, plain, type ReportContent } from './report.ts';

export function episodeReport(summary: EpisodeSummary): ReportContent {
  const { scenario, task_idx: index, task } = summary;
  const name =
    scenario === null ? summary.episode : `${scenario}${index === null ? '' : ` #${String(index)}`}`;
  return {
    title: `Episode of ${name}`,
    sections: [
      [`**${plain(outcomeSentence(summary))}.**`, `Task: ${plain(task)}`, factTable(summary)].join('\n\n'),
      stepSection(summary),
      ...rewardSections(summary),
      READING,
    ],
    drawings: [walkthroughFigure(summary)],
    summary,
  };
}

const CONDITIONS = {
  none: 'nobody may advise',
  model: 'a model may advise',
  human: 'a person may advise',
  'human+draft': 'a person may advise, from a model’s draft',
  brief: 'a model’s brief before the start',
  'brief+human': 'a person’s brief before the start',
} as const;

function factTable(summary: EpisodeSummary): string {
  const { condition, policy, model, seed, verdict, reward } = summary;
  const facts: [string, string | null][] = [
    ['Episode', summary.episode],
    ['Environment', summary.environment],
    ['Condition', condition === null ? 'not recorded' : CONDITIONS[condition]],
    ['Agent', model ?? policy],
    ['Seed', seed === null ? null : String(seed)],
    ['Outcome', verdict === null ? 'no verdict' : outcomeText(outcomeOf(verdict))],
    ['Reward', reward === null ? 'none' : formatNumber(reward)],
  ];
  const rows = facts.flatMap(([name, value]) => (value === null ? [] : [[name, plain(value)]]));
  return markdownTable(['Fact', 'Value'], rows);
}

const OUTCOMES = {
  ok: 'ok',
  error: 'error',
  none: '–',
} as const;

function stepSection({ walkthrough, verdict }: EpisodeSummary): string {
  const rows = walkthrough.map(({ who, text, outcome, turn }, index) => [
    String(index + 1),
    turn === undefined ? '–' : String(turn),
    plain(who),
    plain(text),
    outcome === 'complete' || outcome === 'incomplete'
      ? outcomeOf(verdict).word.toLowerCase()
      : OUTCOMES[outcome],
  ]);
  return `## Steps\n\n${markdownTable(['Step', 'Turn', 'Who', 'What', 'Outcome'], rows)}`;
}

function rewardSections({ rewards }: EpisodeSummary): string[] {
  if (rewards.every(({ reward }) => reward === 0)) return [];
  const rows = rewards.map(({ turn, reward, total }) => [
    String(turn),
    formatNumber(reward, 6),
    formatNumber(total, 6),
  ]);
  return [`## Rewards\n\n${markdownTable(['Turn', 'Reward', 'So far'], rows)}`];
}

const READING = [
  '## How to read it',
  '- One episode shows what happened in it. It says nothing of how often that happens.',
  '- The outcome is the verifier’s; its own label stands beside it. A step that is “ok” is a call that the environment took.',
  '- Where an expert had seen more of the answer than the agent could, the step says what.',
  '- Texts stand here as they were recorded: nothing is masked. Read them before you publish the folder.',
].join('\n');
