// An episode as Markdown to paste into a report. What is not at hand whole is said to be a beginning.
import { type Consultation, type EpisodeRecord, taskRef, type Turn } from '../../../shared/episode/record.ts';
import { isBlobRef, textHead, type Text } from '../../../shared/events/text.ts';
import { agentModel, isPlayedByPerson } from '../../../shared/episode/phase.ts';
import { outcomeOf, outcomeText } from '../../../shared/taskOutcome.ts';
import { formatSize } from '../text/size.ts';
import { ROLE_LABELS, type TimelineRow } from '../../../shared/timeline/timelineRow.ts';

/** The whole of a text; null where only its beginning is at hand. */
type LoadText = (text: Text) => string | null;
const inPlace: LoadText = (text) => (isBlobRef(text) ? null : text);

/** An episode in the order of its timeline; `upTo` names the event where it was cut off. */
export function episodeMarkdown(
  record: EpisodeRecord,
  rows: readonly TimelineRow[],
  whole: LoadText = inPlace,
  upTo: string | null = null,
): string {
  const { started, reset, ended } = record;
  const { scenario, task_idx } = taskRef(record);
  const head = [
    `# Episode ${record.id}`,
    '',
    ...list([
      ['Environment', started === null ? null : `${started.environment.name} (${started.environment.url})`],
      ['Scenario', scenario],
      ['Task', task_idx],
      ['Condition', started?.condition ?? null],
      ...agentLine(record),
      ['Status', upTo === null ? (ended?.outcome ?? record.status) : null],
      ['Up to', upTo],
      ['Reward', rewardOf(record)],
      ['Outcome', outcomeLine(record)],
    ]),
    ...(reset?.task === null || reset?.task === undefined
      ? []
      : ['', ...fenced('Task text', reset.task, whole)]),
  ];
  return [...head, ...rows.flatMap((row) => rowLines(row, whole)), ''].join('\n');
}

const rewardOf = ({ verified, ended, started }: EpisodeRecord): string | null => {
  const reward = ended?.reward ?? null;
  if (verified !== null || reward === null || started?.is_covered === true) return null;
  return `${String(reward)} (${ended?.reward_type ?? 'not verified'})`;
};

const outcomeLine = ({ verified, started }: EpisodeRecord): string | null =>
  verified === null || started?.is_covered === true
    ? null
    : outcomeText(outcomeOf(verified.reward_type, verified.reward));

const agentLine = (record: EpisodeRecord): [string, string | null][] =>
  isPlayedByPerson(record)
    ? [['Played by', 'a person']]
    : [['Agent', [record.started?.agent.policy, agentModel(record)].filter(Boolean).join(' ')]];

const list = (pairs: readonly (readonly [string, string | number | null])[]): string[] =>
  pairs
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `- ${name}: ${String(value)}`);

/** One step of it. */
export const stepMarkdown = (row: TimelineRow, whole: LoadText = inPlace): string =>
  [...rowLines(row, whole), ''].join('\n').trimStart();

function rowLines(row: TimelineRow, whole: LoadText): string[] {
  const outcome = row.outcome === null ? '' : ` — ${row.outcome.label}`;
  const reward = row.reward === null ? '' : ` (reward ${String(row.reward)})`;
  const { subject } = row;
  const turn = subject.type === 'turn' ? `Turn ${String(subject.turn.turn)} · ` : '';
  if (subject.type === 'turn' || subject.type === 'consultation' || row.shape === 'step') {
    return [
      '',
      `## ${turn}${ROLE_LABELS[row.role]}: ${row.name}${outcome}${reward}`,
      ...(subject.type === 'turn' ? turnLines(subject.turn, whole) : []),
      ...(subject.type === 'consultation' ? consultationLines(subject.consultation, whole) : []),
    ];
  }
  if (subject.type === 'item' && subject.item.type === 'message')
    return ['', ...fenced(row.name, subject.item.text, whole)];
  if (subject.type === 'told')
    return ['', ...fenced('The agent was told', subject.turn.call?.refused?.text ?? row.detail, whole)];
  return [
    '',
    `*${ROLE_LABELS[row.role]}: ${row.name}${row.detail === '' ? '' : ` — ${row.detail}`}${outcome}*`,
  ];
}

function turnLines({ content, reasoning, toolCalls, call, move }: Turn, whole: LoadText): string[] {
  const made =
    call?.sent ??
    (move?.type === 'call_tool' ? { toolName: move.tool_name, arguments: move.arguments } : null);
  return [
    ...optionalBlock('Reasoning', reasoning, whole),
    ...(textHead(content) === '' ? [] : fenced('Reply', content, whole)),
    ...toolCalls.flatMap(({ name, arguments: text }) => fenced(`Native call ${name}`, text, whole)),
    ...(made === null
      ? []
      : fenced(`Call of ${made.toolName}`, JSON.stringify(made.arguments, null, 2), whole)),
    ...optionalBlock('Error', call?.returned?.error, whole),
    ...optionalBlock('Result', call?.returned?.text, whole),
  ];
}

function consultationLines(
  { question, task, draft, decision, delivered }: Consultation,
  whole: LoadText,
): string[] {
  return [
    ...optionalBlock('Asked', question ?? task, whole),
    ...optionalBlock('Draft', draft?.text, whole),
    ...(decision?.type === 'approved' ? fenced(`Advice (${decision.act})`, decision.text, whole) : []),
    ...(decision?.type === 'declined' ? fenced('Decline reason', decision.reason, whole) : []),
    ...(delivered === null
      ? []
      : fenced(
          `Delivered as ${delivered.as}, ${String(delivered.deliveredLength)} of ${String(delivered.full_length)} characters`,
          delivered.text,
          whole,
        )),
  ];
}

const optionalBlock = (label: string, text: Text | null | undefined, whole: LoadText): string[] =>
  text === null || text === undefined ? [] : fenced(label, text, whole);

/** A fence longer than any run of backticks inside, so that no text can end it. */
function fenced(label: string, text: Text, whole: LoadText): string[] {
  const all = whole(text);
  const shown = all ?? textHead(text);
  const runs = [...shown.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)));
  const note = all === null ? ` (the beginning of ${formatSize(text)})` : '';
  return ['', `${label}${note}:`, '', fence, shown, fence];
}
