// Owns: an episode as OpenEnv's collect writes it: its messages, what each call gave, its reward.
import { episodeFacts, noRow, oneRow } from '../episodeFacts.ts';
import type { Format, Told } from '../format.ts';
import { interventionsOf } from '../interventions.ts';
import { safeText } from '../json.ts';
import type { Line } from '../line.ts';
import { replyMoves } from '../replyMoves.ts';
import { chatRows } from '../talk.ts';
import { eventfulStory } from '../wordless.ts';

export const episodeRecord: Format = {
  id: 'episode_record',
  verdict: 'any',
  columns: [
    { name: 'episode_id', type: 'string' },
    { name: 'messages', type: 'json', isList: true },
    { name: 'reward', type: 'float64' },
    { name: 'done', type: 'bool' },
    { name: 'tool_trace', type: 'json', isList: true },
    { name: 'metrics', type: 'json' },
    { name: 'verify_metrics', type: 'json' },
    { name: 'artifacts', type: 'json' },
    { name: 'task', type: 'json' },
    { name: 'extra', type: 'json' },
  ],
  says:
    'OpenEnv’s EpisodeRecord, a line an episode; its reader resumes from it. `tool_trace` has one entry for each result ' +
    'in `messages`, in order. Tool schemas and what people and the advisor did stand under `extra`. An episode without ' +
    'a reward is left out: the reader wants a number. Times and token counts have no place.',
  rows: (told, rules) => {
    const { record } = told;
    const reward = record.ended?.reward ?? null;
    if (reward === null) return noRow('no_reward');
    const story = eventfulStory(told, rules);
    if (typeof story === 'string') return noRow(story);
    const { lines, tools, isWordless, isStripped } = story;
    const trace = traceOf(told, lines);
    const isCut = record.ended?.outcome === 'limit';
    const { started, reset, verified } = record;
    const row = {
      episode_id: record.id,
      messages: chatRows(lines, 'string'),
      reward,
      done: record.ended?.outcome === 'done',
      tool_trace: trace,
      metrics: {
        turns: record.turns.length,
        tool_calls: trace.length,
        ...(isCut ? { truncated: true } : {}),
      },
      verify_metrics: {
        ...(record.ended?.rewardType ? { reward_type: record.ended.rewardType } : {}),
        ...(verified === null ? {} : { verifier_mode: verified.verifier_mode }),
      },
      artifacts: {},
      task: {
        scenario: reset?.scenario ?? started?.scenario ?? null,
        task_idx: reset?.task_idx ?? started?.task_idx ?? null,
        task: reset?.task ? safeText(told.whole(reset.task)) : null,
      },
      extra: {
        tools,
        interventions: isStripped ? [] : interventionsOf(record, told.whole),
        condition: started?.condition ?? null,
        model: started?.agent.model ?? null,
        has_words: !isWordless,
      },
    };
    return oneRow(row, episodeFacts(record, story));
  },
  beside: {
    'metadata.json': { schema: 'openenv.core.harness.collect.EpisodeRecord', written_by: 'interject' },
  },
};

/** An entry for each result in the messages: readers align them by their order. */
function traceOf({ whole }: Told, lines: readonly Line[]): object[] {
  let reply: Line | null = null;
  let open: { name: string; args: Record<string, unknown>; id: string | null }[] = [];
  return lines.flatMap((line) => {
    if (line.kind === 'reply') {
      reply = line;
      open = replyMoves(line);
      return [];
    }
    const at = line.role === 'tool' ? open.findIndex(({ id }) => id === line.answers) : 0;
    const call = open[at];
    if (line.kind === 'prompt' || line.kind === 'note' || call === undefined) return [];
    open.splice(at, 1);
    const from: Line | null = reply;
    const returned = line.kind === 'environment' ? (from?.of?.call?.returned ?? null) : null;
    const error = returned?.error ?? null;
    const text = returned?.text ?? null;
    return [
      {
        tool_name: call.name,
        arguments: call.args,
        result: {
          data: returned === null ? line.content : text === null ? null : safeText(whole(text)),
          done: returned?.done ?? false,
          metadata: {
            ...(returned?.rewardType ? { reward_type: returned.rewardType } : {}),
            ...(returned === null || returned.reward === null ? {} : { reward: returned.reward }),
            ...(line.kind === 'environment' ? {} : { given_by: line.kind }),
          },
          error: error === null ? null : safeText(whole(error)),
        },
      },
    ];
  });
}
