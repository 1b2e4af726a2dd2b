// An episode as OpenEnv's collect writes it: its messages, the result of each call, its reward.
import { agentModel } from '../../../../shared/episode/phase.ts';
import { spendingOf } from '../../../../shared/episode/spending.ts';
import { taskRef } from '../../../../shared/episode/record.ts';
import { conditionFields, interventionsOf } from '../interventions.ts';
import { episodeFacts, noRow, singleRow } from '../rowFacts.ts';
import type { Format, EpisodeInput } from '../format.ts';
import { safeText } from '../json.ts';
import { joinReplies, type TranscriptLine, replyMoves } from '../transcriptLine.ts';
import { chatRows, type ChatStyle } from '../trainingConversation.ts';
import { recordedConversation } from '../transcript.ts';

/** Messages as OpenAI writes them: they have no field for reasoning. */
const OPENAI_STYLE: ChatStyle = { arguments: 'string', reasoning: true };

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
  rows: (input, rules) => {
    const { record } = input;
    const reward = record.ended?.reward ?? null;
    if (reward === null) return noRow('no_reward');
    const transcript = recordedConversation(input, rules);
    if (typeof transcript === 'string') return noRow(transcript);
    const { lines, tools, isWordless, isStripped } = transcript;
    if (lines.some((line) => line.isReplyUnknown)) return noRow('reply_unknown');
    const trace = toolTrace(input, joinReplies(lines));
    const isCut = record.ended?.outcome === 'limit';
    const { reset, verified } = record;
    const spent = spendingOf(record);
    const row = {
      episode_id: record.id,
      messages: chatRows(
        lines.map((line) => ({ ...line, reasoning: null })),
        OPENAI_STYLE,
      ),
      reward,
      done: record.ended?.outcome === 'done',
      tool_trace: trace,
      metrics: {
        turns: record.turns.length,
        tool_calls: trace.length,
        ...(isCut ? { truncated: true } : {}),
      },
      verify_metrics: {
        ...(record.ended?.reward_type ? { reward_type: record.ended.reward_type } : {}),
        ...(verified === null ? {} : { verifier_mode: verified.verifier_mode }),
      },
      artifacts: {},
      task: {
        ...taskRef(record),
        task: reset?.task ? safeText(input.loadText(reset.task)) : null,
      },
      extra: {
        tools,
        interventions: isStripped ? [] : interventionsOf(record, input.loadText, input.lifts?.()),
        ...conditionFields(record),
        model: agentModel(record),
        has_words: !isWordless,
        ...(spent === null ? {} : { spent }),
      },
    };
    return singleRow(row, episodeFacts(record, transcript));
  },
  beside: {
    'metadata.json': { schema: 'openenv.core.harness.collect.EpisodeRecord', written_by: 'interject' },
  },
};

/** An entry for each result in the messages: readers align them by their order. */
function toolTrace({ record, loadText }: EpisodeInput, lines: readonly TranscriptLine[]): object[] {
  let reply: TranscriptLine | null = null;
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
    const from: TranscriptLine | null = reply;
    const of = turnOfResult(record, from, line);
    const returned = line.kind === 'environment' ? (of?.call?.returned ?? null) : null;
    const error = returned?.error ?? null;
    const text = returned?.text ?? null;
    return [
      {
        tool_name: call.name,
        arguments: call.args,
        result: {
          data: returned === null ? line.content : text === null ? null : safeText(loadText(text)),
          done: returned?.done ?? false,
          metadata: {
            ...(returned?.reward_type ? { reward_type: returned.reward_type } : {}),
            ...(returned === null || returned.reward === null ? {} : { reward: returned.reward }),
            ...(line.kind === 'environment' ? {} : { given_by: line.kind }),
          },
          error: error === null ? null : safeText(loadText(error)),
        },
      },
    ];
  });
}

/** The turn a result belongs to: the reply's own, or that of the further call of it which the result answers. */
const turnOfResult = (
  { turns }: EpisodeInput['record'],
  reply: TranscriptLine | null,
  result: TranscriptLine,
): TranscriptLine['of'] =>
  turns.find(
    ({ turn, replyOf }) => turn === result.turn && replyOf !== undefined && replyOf === reply?.turn,
  ) ??
  reply?.of ??
  null;
