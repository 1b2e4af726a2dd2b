// The JSON Schemas of `/schema`: actions, observations, state. Source of the fields: the Agent World Model's models;
// the descriptions are ours.

type JsonSchema = Record<string, unknown>;

const TEXT_TYPE = { type: 'string' };
const INTEGER_TYPE = { type: 'integer' };
const OPEN_OBJECT = { additionalProperties: true, type: 'object' };

const nullable = (schema: JsonSchema, description: string): JsonSchema => ({
  anyOf: [schema, { type: 'null' }],
  default: null,
  description,
});

/** A closed object whose fields are titled by their names, as pydantic titles them. */
const modelSchema = (
  title: string,
  description: string,
  fields: JsonSchema,
  more: JsonSchema = {},
): JsonSchema => ({
  additionalProperties: false,
  description,
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      { ...(field as JsonSchema), title: fieldTitle(name) },
    ]),
  ),
  title,
  type: 'object',
  ...more,
});
const fieldTitle = (name: string): string =>
  name.replaceAll(/(?:^|_)(.)/g, (at, first: string) => `${at.length > 1 ? ' ' : ''}${first.toUpperCase()}`);

const tag = (name: string): JsonSchema => ({
  const: name,
  default: name,
  description: 'Which action this is',
  ...TEXT_TYPE,
});
const metadata = {
  ...OPEN_OBJECT,
  description: 'Whatever a client or a proxy adds; the environment reads none of it',
};

const CALL_TOOL = modelSchema(
  'CallToolAction',
  'Calls one tool of the scenario, or one of the reserved tools verify, done, __list_scenarios__.',
  {
    metadata,
    type: tag('call_tool'),
    tool_name: { ...TEXT_TYPE, description: 'The tool to call' },
    arguments: { ...OPEN_OBJECT, description: 'The arguments, as an object' },
  },
  { required: ['tool_name'] },
);
const LIST_TOOLS = modelSchema('ListToolsAction', 'Lists the tools of the scenario.', {
  metadata,
  type: tag('list_tools'),
});

export const SCHEMAS = {
  action: {
    $defs: { CallToolAction: CALL_TOOL, ListToolsAction: LIST_TOOLS },
    discriminator: {
      mapping: { call_tool: '#/$defs/CallToolAction', list_tools: '#/$defs/ListToolsAction' },
      propertyName: 'type',
    },
    oneOf: [{ $ref: '#/$defs/ListToolsAction' }, { $ref: '#/$defs/CallToolAction' }],
  },
  observation: modelSchema(
    'AWMObservation',
    'What a reset or a step gives. Fields without a value are absent.',
    {
      done: { default: false, description: 'Whether the episode is over', type: 'boolean' },
      reward: {
        anyOf: [{ type: 'boolean' }, INTEGER_TYPE, { type: 'number' }, { type: 'null' }],
        default: null,
        description: 'The reward of the step',
      },
      metadata,
      reward_type: nullable(TEXT_TYPE, 'The label the reward follows from'),
      scenario: nullable(TEXT_TYPE, 'The scenario, by its normalised name'),
      task: nullable(TEXT_TYPE, 'What the agent is asked to do'),
      task_idx: nullable(INTEGER_TYPE, 'The task by its number'),
      has_verifier: nullable(
        { anyOf: [OPEN_OBJECT, { type: 'boolean' }] },
        'Which verifiers the task has: {sql, code}',
      ),
      num_tools: nullable(INTEGER_TYPE, 'How many tools the scenario has'),
      tool_name: nullable(TEXT_TYPE, 'The tool that was called'),
      tool_result: { default: null, description: 'What the tool answered, as text' },
      error: nullable(TEXT_TYPE, 'What went wrong'),
      warning: nullable(TEXT_TYPE, 'What is worth knowing though nothing went wrong'),
      verify_result: nullable(OPEN_OBJECT, 'What the verifier found'),
      steps_taken: nullable(INTEGER_TYPE, 'Steps so far, listings and verifications included'),
      scenarios: nullable({ items: {}, type: 'array' }, 'All scenarios, on __list_scenarios__'),
      total: nullable(INTEGER_TYPE, 'How many scenarios there are'),
      trajectory_path: nullable(TEXT_TYPE, 'Where the trajectory was written, on the server'),
      session_dir: nullable(TEXT_TYPE, 'The folder that was kept, on the server'),
    },
  ),
  state: modelSchema(
    'State',
    'Where an episode is.',
    {
      episode_id: nullable(TEXT_TYPE, 'The episode, null before the first reset'),
      step_count: { ...INTEGER_TYPE, default: 0, description: 'Steps since the reset', minimum: 0 },
    },
    { additionalProperties: true },
  ),
};
