// A bench's result in words: Markdown that reads well in a terminal too. Drawn from the summary alone. Pure.
import { countText } from '../countText.ts';
import type { Interval } from '../statistics/means.ts';
import { armLabel, type BenchArm, type BenchSummary, type Comparison } from './summary.ts';
import type { Roster } from '../experts/roster.ts';

type Row = readonly string[];

/** A table whose columns line up. */
function table(head: Row, rows: readonly Row[]): string[] {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => (row[at] ?? '').length)));
  const line = (row: Row): string => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}

const percent = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(1)} %`);
const percentInterval = (interval: Interval | null): string =>
  interval === null ? 'none' : `${(100 * interval.low).toFixed(1)} to ${(100 * interval.high).toFixed(1)} %`;
const rounded = (value: number | null): string =>
  value === null ? '–' : String(Number(value.toPrecision(3)));

export const METHODS = { wilson: 'Wilson', bootstrap: 'bootstrap over tasks' } as const;

export function reportOf(summary: BenchSummary): string {
  const { plan, primary, arms, cautions } = summary;
  const solo = arms.filter(({ kind }) => kind === 'solo');
  const assisted = arms.filter(({ kind }) => kind === 'assisted');
  return [
    `# Bench ${plan.name}`,
    '',
    `${countText(plan.tasks.length, 'task')} (${plan.section}), ${arms.map(({ label }) => label).join(', ')}, ${runsText(plan.seeds.length)}.`,
    '',
    ...cautions.map((caution) => `> ${caution}`),
    ...(cautions.length === 0 ? [] : ['']),
    '## Result',
    '',
    `**${primary.says}**`,
    '',
    primary.power.says,
    '',
    ...(primary.test === null ? [] : [methodText(primary), '']),
    ...armSection('Without help', solo),
    ...armSection('With help', assisted),
    ...secondarySection(summary.secondary),
    ...figuresSection('Without help', solo),
    ...figuresSection('With help', assisted),
    ...excludedSection(arms),
    ...seatSection(summary.seats),
    ...expertSection(summary),
    ...promptSection(summary),
    ...taskSection(summary),
  ].join('\n');
}

const runsText = (seeds: number): string =>
  seeds === 1 ? 'one run of each' : `${String(seeds)} runs of each`;

const TESTS = {
  mcnemar_exact: 'McNemar’s exact test over tasks',
  sign_flip_exact: 'sign-flip test over task means, counted out',
  sign_flip_monte_carlo: 'sign-flip test over task means, 9,999 draws',
} as const;

const INTERVALS = {
  newcombe: 'Interval: Newcombe’s for pairs, and up to zero where the test shows no difference.',
  sign_flip: 'Interval: every difference that this test would not reject.',
  bootstrap: 'Interval: bootstrap over tasks.',
} as const;

const intervalMethod = ({ interval_method: method }: Comparison): string =>
  method === null ? 'No interval: every task came out alike.' : INTERVALS[method];

/** The method of a comparison, and what its interval is. */
export const methodText = (compared: Comparison): string =>
  compared.test === null ? '' : `Test: ${TESTS[compared.test]}. ${intervalMethod(compared)}`;

/** Solo and assisted arms never share a table: they answer different questions. */
function armSection(title: string, arms: readonly BenchArm[]): string[] {
  if (arms.length === 0) return [];
  const rows = arms.map(({ label, completion, tasks, counted, answered_by: by }) => [
    label,
    percent(completion.estimate),
    percentInterval(completion.interval),
    completion.method === null ? '–' : METHODS[completion.method],
    String(tasks),
    String(counted),
    `${String(by.human)} / ${String(by.model)} / ${String(by.scripted)} / ${String(by.nobody)}`,
  ]);
  const head = [
    'arm',
    'completed',
    '95 % interval',
    'method',
    'tasks',
    'episodes',
    'answers: person / model / script / nobody',
  ];
  return [`## Verifier completion: ${title.toLowerCase()}`, '', ...table(head, rows), ''];
}

/** A rule that readers of several comparisons need. */
export const ADJUSTED_RULE =
  'The adjusted p decides (Holm, over all of these comparisons). Each interval is of its comparison by itself, so it can leave zero out where the adjusted p shows no difference.';

function secondarySection(secondary: readonly Comparison[]): string[] {
  if (secondary.length === 0) return [];
  const claims = secondary.filter(({ is_diagnostic: isDiagnostic }) => !isDiagnostic);
  const diagnostic = secondary.filter(({ is_diagnostic: isDiagnostic }) => isDiagnostic);
  return [
    '## Secondary comparisons',
    '',
    ADJUSTED_RULE,
    '',
    ...claims.map(({ says }) => `- ${says}`),
    '',
    ...(diagnostic.length === 0
      ? []
      : [
          'Diagnostic only, since shaped reward can rise while tasks are not completed:',
          '',
          ...diagnostic.map(({ says }) => `- ${says}`),
          '',
        ]),
  ];
}

function figuresSection(title: string, arms: readonly BenchArm[]): string[] {
  if (arms.length === 0) return [];
  const row = (name: string, valueOf: (arm: BenchArm) => string): Row => [name, ...arms.map(valueOf)];
  const components = [...new Set(arms.flatMap(({ figures }) => Object.keys(figures.reward_components)))];
  const rows = [
    ...components.map((name) =>
      row(`reward component ${name}`, ({ figures }) => rounded(figures.reward_components[name] ?? null)),
    ),
    row('steps', ({ figures }) => rounded(figures.steps)),
    row('format errors', ({ figures }) => rounded(figures.format_errors)),
    row('failed calls', ({ figures }) => rounded(figures.tool_errors)),
    row('asks', ({ figures }) => rounded(figures.asks)),
    row('blind asks', ({ figures }) => percent(figures.blind)),
    row('recovery asks', ({ figures }) => percent(figures.recovery)),
    row('advice followed', ({ figures }) => percent(figures.uptake)),
    row('expert minutes', ({ figures }) => rounded(figures.expert_minutes)),
    row('reward per expert minute', ({ figures }) => rounded(figures.reward_per_expert_minute)),
    row(
      'tokens in / out',
      ({ figures }) => `${rounded(figures.input_tokens)} / ${rounded(figures.output_tokens)}`,
    ),
    row('cost', ({ figures: { cost, currency } }) =>
      cost === null ? '–' : `${rounded(cost)} ${currency ?? ''}`,
    ),
    row('shaped reward (diagnostic)', ({ figures }) => rounded(figures.shaped_reward)),
  ].filter(([, ...values]) => values.some((value) => !/^[–/ ]*$/.test(value)));
  const head = ['per episode, mean over tasks', ...arms.map(({ label }) => label)];
  return [`## Per episode: ${title.toLowerCase()}`, '', ...table(head, rows), ''];
}

function excludedSection(arms: readonly BenchArm[]): string[] {
  const rows = arms.flatMap(({ label, excluded }) =>
    Object.entries(excluded)
      .filter(([, count]) => count > 0)
      .map(([cause, count]) => [label, cause, String(count)]),
  );
  if (rows.length === 0) return ['No episode is left out.', ''];
  return ['## Left out', '', ...table(['arm', 'cause', 'episodes'], rows), ''];
}

function seatSection(seats: BenchSummary['seats']): string[] {
  if (seats.length === 0) return [];
  const rows = seats.map((one) => [
    one.seat,
    one.arm,
    String(one.answers),
    String(one.had_seen),
    `${String(one.complete)} of ${String(one.episodes)}`,
    one.minutes.toFixed(1),
  ]);
  const head = ['seat', 'arm', 'answers', 'had met the task', 'completed', 'minutes'];
  return ['## Seats', '', ...table(head, rows), ''];
}

function expertSection({ plan }: BenchSummary): string[] {
  const lines = rosterLines(plan.experts);
  return lines.length === 0 ? [] : ['## Experts', '', ...lines.map((line) => `- ${line}`), ''];
}

function promptSection({ prompts, arms }: BenchSummary): string[] {
  const lines = prompts.differences.flatMap(({ first, second, lines: differing }) => [
    `${armLabel(arms, first)} and ${armLabel(arms, second)}: ${differing.length === 0 ? 'the same' : ''}`.trimEnd(),
    ...(differing.length === 0 ? [''] : ['', '```diff', ...differing, '```', '']),
  ]);
  const says = prompts.is_only_tool
    ? 'The prompts are the same but for the tool that asks an expert.'
    : 'The prompts differ in more than the tool that asks an expert.';
  return ['## Prompts', '', says, '', ...lines];
}

function taskSection({ tasks, arms }: BenchSummary): string[] {
  const rows = tasks.map((task) => [
    `${task.scenario} ${String(task.task_idx)}`,
    ...task.arms.map(({ runs, complete }) => (runs === 0 ? '–' : `${String(complete)}/${String(runs)}`)),
  ]);
  return [
    '## Tasks',
    '',
    'Runs that completed, of those that count.',
    '',
    ...table(['task', ...arms.map(({ label }) => label)], rows),
    '',
  ];
}

/** The text on the terminal at the end: the result without the long tables. */
export const headlineOf = ({ primary, cautions, arms }: BenchSummary): string[] => [
  ...cautions.map((caution) => `! ${caution}`),
  ...arms.map(
    ({ label, completion }) =>
      `${label}: ${percent(completion.estimate)} completed (95 % interval ${percentInterval(completion.interval)})`,
  ),
  primary.says,
  primary.power.says,
];

/** Lines on each expert's purpose and each kind of question's expert; none without a roster. */
export function rosterLines(experts: Roster | undefined): string[] {
  if (experts === undefined) return [];
  const { routes, seat_first_s: first } = experts;
  return [
    ...experts.experts.map((expert) => {
      const who =
        expert.kind === 'model'
          ? `model profile ${expert.profile}${expert.prompt === undefined ? '' : ', with a prompt of its own'}`
          : `a person, seat ${expert.seat}`;
      return `${expert.name} (${who}): ${expert.skills.join(', ')}. Asked for ${expert.ask_for}`;
    }),
    `Questions after a format error go to ${routes.format_error}, after failed calls to ${routes.tool_errors}, at the start to ${routes.start}, others to ${routes.other}.`,
    ...(experts.experts.some(({ kind }) => kind === 'person')
      ? [`A question for a person is their seat’s alone for ${String(first)} s.`]
      : []),
  ];
}
