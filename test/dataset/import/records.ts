// One record of each format that is read, of texts and numbers that stand nowhere else in it.
import type { Unique } from './mutate.ts';

export type Records = Record<string, (unique: Unique) => unknown[]>;

const chat = ({ text }: Unique) => [
  { role: 'system', content: text() },
  { role: 'user', content: text() },
  {
    role: 'assistant',
    content: text(),
    reasoning_content: text(),
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'find', arguments: JSON.stringify({ q: text() }) } },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: text() },
  { role: 'assistant', content: text() },
];

/** By format: the lines of a file, or its one document. */
export const RECORDS: Records = {
  chat: (unique) => [{ messages: chat(unique), label: unique.text(), duration: unique.number() }],
  chat_parts: (unique) => [
    { messages: [{ role: 'user', content: [{ type: 'text', content: unique.text() }] }, ...chat(unique)] },
  ],
  sharegpt: ({ text, number }) => [
    {
      conversations: [
        { from: 'human', value: text() },
        { from: 'gpt', value: text() },
      ],
      suite: text(),
      evaluation: { utility: number() },
    },
  ],
  sharegpt_pair: ({ text, number }) => [
    {
      conversations: [{ from: 'human', value: text() }],
      chosen: { from: 'gpt', value: text() },
      rejected: { from: 'gpt', value: text() },
      margin: number(),
    },
  ],
  pair: ({ text, number }) => [
    { prompt: text(), chosen: text(), rejected: text(), score_chosen: number(), score_rejected: number() },
  ],
  completion: ({ text }) => [{ prompt: text(), completion: text(), source_set: text() }],
  atif: ({ text, number }) => [
    {
      schema_version: 'ATIF-v1.6',
      session_id: text(),
      agent: { name: text(), version: text(), model_name: text() },
      final_metrics: { total_cost_usd: number() },
      steps: [
        { step_id: 1, source: 'user', message: text(), timestamp: '2026-01-01T00:00:00Z' },
        {
          step_id: 2,
          source: 'agent',
          message: text(),
          reasoning_content: text(),
          tool_calls: [{ tool_call_id: 'c1', function_name: 'find', arguments: { q: text(), n: number() } }],
          observation: { results: [{ source_call_id: 'c1', content: text() }] },
          metrics: { prompt_tokens: number(), cost_usd: number() },
        },
      ],
    },
  ],
  awm: ({ text, number }) => [
    {
      scenario: text(),
      task_idx: 3,
      task: text(),
      steps: 2,
      trajectory: [
        { action: 'call_tool', tool_name: 'find', arguments: { q: text() }, success: true, result: text() },
        {
          action: 'verify',
          arguments: { verifier_mode: 'code', final_answer: text() },
          reward_type: 'complete',
          reward: 1,
          verify_result: { why: text(), share: number() },
        },
      ],
    },
  ],
  echo: ({ text, number }) => [
    {
      scenario: text(),
      task_idx: 1,
      task: text(),
      tools: ['find'],
      reward: number(),
      steps: [
        {
          action: { tool_name: 'find', arguments: { q: text() } },
          observation: { tool_result: text(), reward: number(), done: false },
        },
      ],
    },
  ],
  snowflake: ({ text, number }) => [
    {
      task_id: 1,
      scenario: text(),
      task: text(),
      model: text(),
      temperature: number(),
      messages: [
        { role: 'system', content: text() },
        { role: 'user', content: text() },
      ],
      trajectory: [
        {
          iteration: 1,
          content: text(),
          tool_calls: [{ name: 'find', arguments: { q: text() } }],
          tool_response: { content: text() },
          is_final: false,
        },
        { iteration: 2, content: text(), tool_calls: [], is_final: true },
      ],
    },
  ],
  collect: (unique) => [
    {
      episode_id: unique.text(),
      messages: chat(unique),
      reward: unique.number(),
      done: true,
      tool_trace: [
        {
          tool_name: 'find',
          arguments: {},
          result: { data: unique.text(), metadata: { reward: unique.number() } },
        },
      ],
      metrics: { turns: unique.number() },
      verify_metrics: { note: unique.text() },
    },
  ],
  swe: ({ text, number }) => [
    {
      environment: text(),
      trajectory: [
        {
          action: text(),
          observation: text(),
          response: text(),
          thought: text(),
          execution_time: 0.5,
          state: { open_file: text() },
        },
      ],
      history: [
        { role: 'system', content: text() },
        { role: 'user', content: text() },
      ],
      info: { exit_status: 'submitted', submission: text(), model_stats: { cost: number() } },
    },
  ],
  mini_swe: ({ text, number }) => [
    {
      trajectory_format: 'mini-swe-agent-1',
      messages: [
        { role: 'system', content: text() },
        { role: 'user', content: text() },
        { role: 'assistant', content: text() },
      ],
      info: { exit_status: 'Submitted', submission: text(), cost: number() },
    },
  ],
  inspect: (unique) => [
    {
      version: 2,
      status: 'success',
      eval: { task: unique.text(), model: unique.text(), dataset: { name: unique.text() } },
      plan: { name: unique.text() },
      samples: [
        {
          id: 1,
          epoch: 1,
          input: unique.text(),
          target: unique.text(),
          messages: chat(unique),
          scores: { match: { value: unique.number(), explanation: unique.text() } },
          metadata: { suite: unique.text() },
          store: { notes: unique.text() },
          events: [
            { event: 'info', timestamp: '2026-01-01T00:00:00Z', data: unique.text() },
            { event: 'logger', message: { level: 'info', message: unique.text() } },
          ],
        },
      ],
    },
  ],
  session: ({ text, number }) => [
    { type: 'session', id: text(), harness: text(), cost: number() },
    { type: 'message', message: { role: 'user', content: text() } },
    { type: 'message', message: { role: 'assistant', content: text() } },
  ],
};
