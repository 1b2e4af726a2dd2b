// Owns: an episode as Markdown to paste into a report. What is not at hand whole is said to be a beginning.
import { isBlobRef, textHead, type Text } from '../../../shared/events/text.ts';
import type { Consultation, EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { formatSize } from '../text/size.ts';
import { ROLE_LABELS, type Row } from './row.ts';

/** The whole episode, in the order of its timeline. */
export function episodeMarkdown(record: EpisodeRecord, rows: readonly Row[]): string {
  const { started, reset, ended } = record;
  const head = [
    `# Episode ${record.id}`,
    '',
    ...list([
      ['Environment', started === null ? null : `${started.environment.name} (${started.environment.url})`],
      ['Scenario', reset?.scenario ?? started?.scenario ?? null],
      ['Task', reset?.task_idx ?? started?.task_idx ?? null],
      ['Condition', started?.condition ?? null],
      [
        'Agent',
        started === null ? null : [started.agent.policy, started.agent.model].filter(Boolean).join(' '),
      ],
      ['Outcome', ended?.outcome ?? record.status],
      ['Verifier', verdictOf(record)],
    ]),
    ...(reset?.task === null || reset?.task === undefined ? [] : ['', ...fenced('Task text', reset.task)]),
  ];
  return [...head, ...rows.flatMap(rowLines), ''].join('\n');
}

const verdictOf = ({ verified, started }: EpisodeRecord): string | null =>
  verified === null || started?.is_covered === true
    ? null
    : `${verified.reward_type ?? 'no label'} (reward ${String(verified.reward ?? 'none')})`;

const list = (pairs: readonly (readonly [string, string | number | null])[]): string[] =>
  pairs
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `- ${name}: ${String(value)}`);

/** One step of it. */
export const stepMarkdown = (row: Row): string => [...rowLines(row), ''].join('\n').trimStart();

function rowLines(row: Row): string[] {
  const outcome = row.outcome === null ? '' : ` — ${row.outcome.label}`;
  const reward = row.reward === null ? '' : ` (reward ${String(row.reward)})`;
  const { subject } = row;
  const turn = subject.type === 'turn' ? `Turn ${String(subject.turn.turn)} · ` : '';
  if (subject.type === 'turn' || subject.type === 'consultation' || row.shape === 'step') {
    return [
      '',
      `## ${turn}${ROLE_LABELS[row.role]}: ${row.name}${outcome}${reward}`,
      ...(subject.type === 'turn' ? turnLines(subject.turn) : []),
      ...(subject.type === 'consultation' ? consultationLines(subject.consultation) : []),
    ];
  }
  if (subject.type === 'told')
    return ['', ...fenced('The agent was told', subject.turn.call?.refused?.text ?? row.detail)];
  return [
    '',
    `*${ROLE_LABELS[row.role]}: ${row.name}${row.detail === '' ? '' : ` — ${row.detail}`}${outcome}*`,
  ];
}

function turnLines({ content, reasoning, toolCalls, call, move }: Turn): string[] {
  const args = call?.sent?.arguments ?? (move?.type === 'call_tool' ? move.arguments : null);
  return [
    ...optional('Reasoning', reasoning),
    ...(textHead(content) === '' ? [] : fenced('Reply', content)),
    ...toolCalls.flatMap(({ name, arguments: text }) => fenced(`Native call ${name}`, text)),
    ...(args === null ? [] : fenced('Arguments', JSON.stringify(args, null, 2))),
    ...optional('Error', call?.returned?.error),
    ...optional('Result', call?.returned?.text),
  ];
}

function consultationLines({ question, task, draft, decision, delivered }: Consultation): string[] {
  return [
    ...optional('Asked', question ?? task),
    ...optional('Draft', draft?.text),
    ...(decision?.type === 'approved' ? fenced(`Advice (${decision.act})`, decision.text) : []),
    ...(decision?.type === 'declined' ? fenced('Declined because', decision.reason) : []),
    ...(delivered === null
      ? []
      : fenced(
          `Delivered as ${delivered.as}, ${String(delivered.deliveredLength)} of ${String(delivered.fullLength)} characters`,
          delivered.text,
        )),
  ];
}

const optional = (label: string, text: Text | null | undefined): string[] =>
  text === null || text === undefined ? [] : fenced(label, text);

/** A fence longer than any run of backticks inside, so that no text can end it. */
function fenced(label: string, text: Text): string[] {
  const shown = textHead(text);
  const runs = [...shown.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  const note = isBlobRef(text) ? ` (the beginning of ${formatSize(text)})` : '';
  return ['', `${label}${note}:`, '', fence, shown, fence];
}
