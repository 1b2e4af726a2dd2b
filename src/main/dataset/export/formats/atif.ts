// An episode as an ATIF v1.7 trajectory, one step per turn. Source: the public models of Harbor's Agent Trajectory
// Interchange Format.
import { isAtSeat } from '../../../../shared/events/actor.ts';
import { agentModel } from '../../../../shared/episode/phase.ts';
import { type EpisodeRecord, taskRef, type Turn } from '../../../../shared/episode/record.ts';
import { spendingOf } from '../../../../shared/episode/spending.ts';
import { conditionFields, interventionsOf } from '../interventions.ts';
import { episodeFacts, noRow, singleRow } from '../rowFacts.ts';
import { replyMoves, joinReplies, type TranscriptLine } from '../transcriptLine.ts';
import type { Format, EpisodeInput } from '../format.ts';
import { recordedConversation, type RecordedConversation } from '../transcript.ts';
import { isRecord } from '../../../../shared/json.ts';

export const atif: Format = {
  id: 'atif',
  verdict: 'any',
  columns: null,
  cardColumns: [
    { name: 'schema_version', type: 'string' },
    { name: 'session_id', type: 'string' },
    { name: 'trajectory_id', type: 'string' },
    { name: 'agent', type: 'json' },
    { name: 'steps', type: 'json', isList: true },
    { name: 'final_metrics', type: 'json' },
    { name: 'extra', type: 'json' },
  ],
  says:
    'Harbor’s ATIF v1.7, a trajectory a line. One step is one turn with its calls and what came back. A call that a ' +
    'person changed stands as it took effect; what was proposed, and everything else people and the advisor did, is ' +
    'under `extra`. A person’s move is an agent’s step with `llm_call_count` 0, which must not train, and so is a step ' +
    'with `is_copied_context`. A call whose answer was lost in a restart has no result; what the agent was told instead is a ' +
    'system step whose `extra.kind` is "reply_unknown". ATIF has no place for errors and rewards of calls.',
  rows: (input, rules) => {
    const { record } = input;
    const transcript = recordedConversation(input, rules);
    if (typeof transcript === 'string') return noRow(transcript);
    const { lines, tools, isWordless } = transcript;
    const steps = atifSteps(record, joinReplies(lines));
    if (steps.length === 0) return noRow('no_steps');
    const model = agentModel(record);
    const file = atifOfFile(record);
    const row = {
      schema_version: 'ATIF-v1.7',
      session_id: record.id,
      trajectory_id: record.id,
      agent: {
        name: record.started?.environment.name ?? 'interject',
        version: file.agent.version ?? record.started?.prompt_sha256?.slice(0, 12) ?? 'unknown',
        ...(model === null || model === '' ? {} : { model_name: model }),
        ...(tools.length === 0 ? {} : { tool_definitions: tools }),
        ...(file.agent.extra === undefined ? {} : { extra: file.agent.extra }),
      },
      steps,
      final_metrics: metricsOf(record, steps.length, file),
      extra: under(file.extra, { ...aboutOf(input, transcript), has_words: !isWordless }),
    };
    return singleRow(row, episodeFacts(record, transcript));
  },
};

const aboutOf = (
  { record, loadText, lifts }: EpisodeInput,
  { isStripped }: Pick<RecordedConversation, 'isStripped'>,
): Record<string, unknown> => {
  const { ended } = record;
  return {
    ...taskRef(record),
    ...conditionFields(record),
    outcome: ended?.outcome ?? null,
    reward: ended?.reward ?? null,
    reward_type: ended?.reward_type ?? null,
    interventions: isStripped ? [] : interventionsOf(record, loadText, lifts?.()),
  };
};

function metricsOf(
  record: EpisodeRecord,
  steps: number,
  { totals, totalsExtra }: AtifOfFile,
): Record<string, unknown> {
  const { turns } = record;
  const spent = spendingOf(record);
  const used = turns.flatMap(({ usage }) => (usage === null ? [] : [usage]));
  const sum = (key: 'input_tokens' | 'output_tokens'): number =>
    used.reduce((total, usage) => total + (usage[key] ?? 0), 0);
  const extra = { ...totalsExtra, ...(spent === null ? {} : { spent }) };
  return {
    ...totals,
    ...(used.length === 0
      ? {}
      : { total_prompt_tokens: sum('input_tokens'), total_completion_tokens: sum('output_tokens') }),
    ...(spent?.currency === 'USD' && spent.unknown === 0 ? { total_cost_usd: spent.cost } : {}),
    total_steps: steps,
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

type AtifStep = Record<string, unknown> & { step_id: number };

function atifSteps(record: EpisodeRecord, lines: readonly TranscriptLine[]): AtifStep[] {
  const steps: AtifStep[] = [];
  const add = (step: Record<string, unknown>): void => {
    steps.push({ step_id: steps.length + 1, ...step });
  };
  lines.forEach((line, i) => {
    if (line.kind === 'reply') {
      const end = lines.findIndex((one, at) => at > i && isOfItsOwn(one));
      const read = lines.slice(i + 1, end === -1 ? lines.length : end);
      add(
        agentStep(
          record,
          line,
          read.filter((one) => !one.isReplyUnknown),
        ),
      );
    } else if (line.isReplyUnknown) {
      add({ source: 'system', message: line.content, extra: { kind: 'reply_unknown' } });
    } else if (line.kind === 'prompt' || line.kind === 'note') {
      const source = line.role === 'system' ? 'system' : 'user';
      add({ source, message: line.content, ...(line.kind === 'note' ? { extra: { kind: 'note' } } : {}) });
    } else if (!lines.slice(0, i).some(({ kind }) => kind === 'reply')) {
      add({ source: 'user', message: line.content });
    }
  });
  return steps;
}

const isOfItsOwn = ({ kind }: TranscriptLine): boolean =>
  kind === 'reply' || kind === 'prompt' || kind === 'note';

function agentStep(
  record: EpisodeRecord,
  line: TranscriptLine,
  read: readonly TranscriptLine[],
): Record<string, unknown> {
  const { content, reasoning, proposed, untrainable, by, of: turn } = line;
  const isPerson = by !== null && isAtSeat(by);
  const calls = replyMoves(line).map(({ id, name, args }) => ({
    tool_call_id: id ?? `t${String(line.turn)}`,
    function_name: name,
    arguments: args,
  }));
  const extra = {
    ...(isPerson ? { written_by: 'human' } : {}),
    ...(untrainable === null ? {} : { untrainable }),
    ...(proposed === null ? {} : { proposed: { content: proposed.content, calls: proposed.calls } }),
  };
  return {
    ...atifTimestamp(record, turn),
    source: 'agent',
    message: content,
    ...(turn?.model ? { model_name: turn.model } : {}),
    ...(reasoning === null || isPerson ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(read.length === 0 ? {} : { observation: { results: resultsOf(read, calls) } }),
    ...(isPerson ? {} : atifMetrics(turn)),
    ...(isPerson ? { llm_call_count: 0 } : {}),
    ...(turn?.isCopied === true ? { is_copied_context: true } : {}),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** A result of text calls answers the one call of its step. */
const resultsOf = (read: readonly TranscriptLine[], calls: readonly { tool_call_id: string }[]): object[] =>
  read.map(({ answers, content, kind, role }, i) => {
    const id = role === 'tool' ? answers : i === 0 ? (calls[0]?.tool_call_id ?? null) : null;
    return {
      ...(id === null ? {} : { source_call_id: id }),
      content,
      ...(kind === 'environment' ? {} : { extra: { kind } }),
    };
  });

function atifMetrics(turn: Turn | null): Record<string, unknown> {
  const usage = turn?.usage ?? null;
  if (usage === null) return {};
  return {
    metrics: {
      ...(usage.input_tokens === null ? {} : { prompt_tokens: usage.input_tokens }),
      ...(usage.output_tokens === null ? {} : { completion_tokens: usage.output_tokens }),
      ...(usage.cached_tokens === undefined ? {} : { cached_tokens: usage.cached_tokens }),
    },
  };
}

/** A file that told no times has the time of its import on every event: that is no time of a step. */
const atifTimestamp = ({ imported }: EpisodeRecord, turn: Turn | null): { timestamp?: string } =>
  turn === null || imported?.not_recorded.includes('times') === true
    ? {}
    : { timestamp: new Date(turn.at).toISOString() };

type AtifOfFile = {
  agent: { version?: string; extra?: Record<string, unknown> };
  totals: Record<string, number>;
  totalsExtra: Record<string, unknown>;
  extra: Record<string, unknown>;
};

const TOTALS = ['total_prompt_tokens', 'total_completion_tokens', 'total_cached_tokens', 'total_cost_usd'];

/** Of an episode of another origin there is nothing. */
function atifOfFile({ imported }: EpisodeRecord): AtifOfFile {
  const file = imported?.format === 'atif' ? recordOr(imported.extra) : {};
  const [agent, metrics] = [recordOr(file['agent']), recordOr(file['final_metrics'])];
  const { version } = agent;
  const { notes } = file;
  return {
    agent: {
      ...(typeof version === 'string' ? { version } : {}),
      ...(isRecord(agent['extra']) ? { extra: agent['extra'] } : {}),
    },
    totals: Object.fromEntries(
      TOTALS.flatMap((name) => {
        const value = metrics[name];
        return typeof value === 'number' ? [[name, value]] : [];
      }),
    ),
    totalsExtra: recordOr(metrics['extra']),
    // Every trajectory of a data set has the same fields: notes, which few have, stand among the extra ones.
    extra: { ...(typeof notes === 'string' ? { notes } : {}), ...recordOr(file['extra']) },
  };
}

/** The file's fields, but for those that the log knows better; what the log does not know leaves the file's word. */
const under = (
  file: Readonly<Record<string, unknown>>,
  ours: Readonly<Record<string, unknown>>,
): Record<string, unknown> => ({
  ...ours,
  ...Object.fromEntries(
    Object.entries(file).filter(([name]) => ours[name] === undefined || ours[name] === null),
  ),
});

const recordOr = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
