// An episode as an Agent World Model server writes its trajectory: the calls that reached it, and its verdict.
import type { EpisodeRecord, Turn } from '../../../../shared/episode/record.ts';
import { taskRef } from '../../../../shared/episode/record.ts';
import { episodeFacts, noRow, singleRow } from '../rowFacts.ts';
import type { Format, EpisodeInput } from '../format.ts';
import { safeText } from '../json.ts';
import { recordedConversation } from '../transcript.ts';

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
  rows: (input, rules) => {
    const { record } = input;
    const transcript = recordedConversation(input, rules);
    if (typeof transcript === 'string') return noRow(transcript);
    if (transcript.lines.some((line) => line.isReplyUnknown)) return noRow('reply_unknown');
    const trajectory = [
      ...listing(record),
      ...record.turns.flatMap((turn) => awmSteps(turn, input)),
      ...verdict(input),
    ];
    if (trajectory.length === 0) return noRow('no_steps');
    const task = record.reset?.task ?? null;
    const { scenario, task_idx } = taskRef(record);
    const row = {
      scenario,
      task: task === null ? null : safeText(input.loadText(task)),
      task_idx,
      // The server counts its own end as a step too.
      steps: record.finished?.steps_taken ?? trajectory.length,
      trajectory,
    };
    return singleRow(row, episodeFacts(record, transcript));
  },
};

/** The listing that the loop asked for on its own. */
const listing = (record: EpisodeRecord): object[] =>
  record.timeline.some((item) => item.type === 'tools' && !item.byAgent) ? [listToolsResult(record)] : [];

const listToolsResult = ({ tools }: EpisodeRecord): object => ({
  action: 'list_tools',
  success: true,
  num_tools: tools.length,
  tool_names: tools.map(({ name }) => name),
});

function awmSteps({ move, call }: Turn, { record, loadText }: EpisodeInput): object[] {
  if (move?.type === 'list_tools') return [listToolsResult(record)];
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
      result: text === null ? null : safeText(loadText(text)),
      ...(error === null ? {} : { error: safeText(loadText(error)) }),
    },
  ];
}

function verdict({ record: { verified }, loadText }: EpisodeInput): object[] {
  if (verified === null) return [];
  const answer = verified.final_answer;
  return [
    {
      action: 'verify',
      arguments: {
        verifier_mode: verified.verifier_mode,
        final_answer: answer === null ? '' : safeText(loadText(answer)),
      },
      success: true,
      reward_type: verified.reward_type,
      reward: verified.reward,
      verify_result: verified.verify_result,
    },
  ];
}
