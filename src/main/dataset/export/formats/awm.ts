// Owns: an episode as an Agent World Model server writes its trajectory: the calls that reached it, and its verdict.
import type { EpisodeRecord, Turn } from '../../../../shared/episode/record.ts';
import { episodeFacts, noRow, oneRow } from '../episodeFacts.ts';
import type { Format, Told } from '../format.ts';
import { safeText } from '../json.ts';
import { eventfulStory } from '../wordless.ts';

export const awm: Format = {
  id: 'awm',
  verdict: 'any',
  columns: null,
  cardColumns: [
    { name: 'scenario', type: 'json' },
    { name: 'task', type: 'json' },
    { name: 'task_idx', type: 'json' },
    { name: 'steps', type: 'int64' },
    { name: 'trajectory', type: 'json', isList: true },
  ],
  says:
    'Agent World Model trajectories, one object a line as the server writes it: the calls that reached the environment, ' +
    'as they took effect, and the verdict. No words, no model, no tool schemas, no times, no rewards of calls, and ' +
    'nothing of questions to an expert, of calls that were turned down, or of who made a call.',
  rows: (told, rules) => {
    const { record } = told;
    const story = eventfulStory(told, rules);
    if (typeof story === 'string') return noRow(story);
    const trajectory = [
      ...listing(record),
      ...record.turns.flatMap((turn) => stepOf(turn, told)),
      ...verdict(told),
    ];
    if (trajectory.length === 0) return noRow('no_steps');
    const task = record.reset?.task ?? null;
    const row = {
      scenario: record.reset?.scenario ?? record.started?.scenario ?? null,
      task: task === null ? null : safeText(told.whole(task)),
      task_idx: record.reset?.task_idx ?? record.started?.task_idx ?? null,
      // The server counts its own end as a step too.
      steps: record.finished?.steps_taken ?? trajectory.length,
      trajectory,
    };
    return oneRow(row, episodeFacts(record, story));
  },
};

/** The listing that the loop asked for on its own. */
const listing = (record: EpisodeRecord): object[] =>
  record.timeline.some((item) => item.type === 'tools' && !item.byAgent) ? [listed(record)] : [];

const listed = ({ tools }: EpisodeRecord): object => ({
  action: 'list_tools',
  success: true,
  num_tools: tools.length,
  tool_names: tools.map(({ name }) => name),
});

function stepOf({ move, call }: Turn, { record, whole }: Told): object[] {
  if (move?.type === 'list_tools') return [listed(record)];
  const returned = call?.returned ?? null;
  const sent =
    call?.sent ??
    (move?.type === 'call_tool' ? { toolName: move.tool_name, arguments: move.arguments } : null);
  if (returned === null || sent === null) return [];
  const { text, error } = returned;
  return [
    {
      action: 'call_tool',
      tool_name: sent.toolName,
      arguments: sent.arguments,
      success: error === null,
      result: text === null ? null : safeText(whole(text)),
      ...(error === null ? {} : { error: safeText(whole(error)) }),
    },
  ];
}

function verdict({ record: { verified }, whole }: Told): object[] {
  if (verified === null) return [];
  const answer = verified.final_answer;
  return [
    {
      action: 'verify',
      arguments: {
        verifier_mode: verified.verifier_mode,
        final_answer: answer === null ? '' : safeText(whole(answer)),
      },
      success: true,
      reward_type: verified.reward_type,
      reward: verified.reward,
      verify_result: verified.verify_result,
    },
  ];
}
