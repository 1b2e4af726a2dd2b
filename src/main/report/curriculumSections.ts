// What a report says of a run's curriculum: each decision that changed something, with what it was taken from.
import { formatPercent } from '../../figures/text.ts';
import { countText } from '../../shared/countText.ts';
import type { CurriculumSummary } from '../../shared/curriculum/overview.ts';
import { changeText, signalText } from '../../shared/curriculum/words.ts';
import { markdownTable, plain } from './report.ts';

type Decision = CurriculumSummary['decisions'][number];

/** Nothing where nothing was decided. */
export function curriculumSections(curriculum: CurriculumSummary | null): string[] {
  const last = curriculum?.decisions.at(-1);
  if (curriculum === null || last === undefined) return [];
  const { decisions, settings } = curriculum;
  const { fixed_share: fixed } = settings.phases;
  const told = decisions.filter((one, index) => index === 0 || hasNews(one));
  const rest = decisions.length - told.length;
  const standing =
    fixed === null
      ? `${countText(decisions.length, 'decision')}. Step ${String(last.step)} was decided to be played in ${last.phase}: ${String(last.split.expert)} of ${String(last.split.expert + last.split.solo)} rollouts with an expert.`
      : `${countText(decisions.length, 'decision')}, with the expert’s share fixed at ${formatPercent(fixed)}.`;
  const rows = told.map((one) => [
    String(one.step),
    one.phase,
    `${String(one.split.expert)} : ${String(one.split.solo)}`,
    plain(one.signals.map(signalText).join('; ')),
    one.changes.length === 0 ? '–' : plain(one.changes.map((change) => changeText(change)).join('; ')),
    String(one.rollouts),
  ]);
  const head = ['Step', 'Phase', 'Expert : alone', 'What was measured', 'What changed', 'Rollouts'];
  return [
    [
      '## Curriculum',
      standing,
      markdownTable(head, rows),
      ...(rest === 0
        ? []
        : [`${countText(rest, 'decision')} more changed nothing; \`results_summary.json\` holds them all.`]),
    ].join('\n\n'),
  ];
}

const hasNews = ({ signals, changes }: Decision): boolean =>
  changes.length > 0 || signals.some(({ reason }) => reason === 'changes');
