// The JSON Schemas of `/schema`: actions, observations, state. Source of the fields: the Agent World Model's models;
// the descriptions are ours.

type JsonSchema = Record<string, unknown>;

const nullable = (schema: JsonSchema, title: string, description: string): JsonSchema => ({
  anyOf: [schema, { type: 'null' }],
  default: null,
  description,
  title,
});
const textField = (title: string, description: string): JsonSchema =>
  nullable({ type: 'string' }, title, description);
const integerField = (title: string, description: string): JsonSchema =>
  nullable({ type: 'integer' }, title, description);
const freeField = (title: string, description: string): JsonSchema => ({
  additionalProperties: true,
  description,
  title,
  type: 'object',
});

const tag = (name: string): JsonSchema => ({
  const: name,
  default: name,
  description: 'Which action this is',
  title: 'Type',
  type: 'string',
});

const metadata = freeField('Metadata', 'Whatever a client or a proxy adds; the environment reads none of it');

const ACTION: JsonSchema = {
  $defs: {
    CallToolAction: {
      additionalProperties: false,
      description:
        'Calls one tool of the scenario, or one of the reserved tools verify, done, __list_scenarios__.',
      properties: {
        metadata,
        type: tag('call_tool'),
        tool_name: { description: 'The tool to call', title: 'Tool Name', type: 'string' },
        arguments: freeField('Arguments', 'The arguments, as an object'),
      },
      required: ['tool_name'],
      title: 'CallToolAction',
      type: 'object',
    },
    ListToolsAction: {
      additionalProperties: false,
      description: 'Lists the tools of the scenario.',
      properties: { metadata, type: tag('list_tools') },
      title: 'ListToolsAction',
      type: 'object',
    },
  },
  discriminator: {
    mapping: { call_tool: '#/$defs/CallToolAction', list_tools: '#/$defs/ListToolsAction' },
    propertyName: 'type',
  },
  oneOf: [{ $ref: '#/$defs/ListToolsAction' }, { $ref: '#/$defs/CallToolAction' }],
};

const OBSERVATION_SCHEMA: JsonSchema = {
  additionalProperties: false,
  description: 'What a reset or a step gives. Fields without a value are absent.',
  properties: {
    done: { default: false, description: 'Whether the episode is over', title: 'Done', type: 'boolean' },
    reward: {
      anyOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'number' }, { type: 'null' }],
      default: null,
      description: 'The reward of the step',
      title: 'Reward',
    },
    metadata,
    reward_type: textField('Reward Type', 'The label the reward follows from'),
    scenario: textField('Scenario', 'The scenario, by its normalised name'),
    task: textField('Task', 'What the agent is asked to do'),
    task_idx: integerField('Task Idx', 'The task by its number'),
    has_verifier: nullable(
      { anyOf: [{ additionalProperties: true, type: 'object' }, { type: 'boolean' }] },
      'Has Verifier',
      'Which verifiers the task has: {sql, code}',
    ),
    num_tools: integerField('Num Tools', 'How many tools the scenario has'),
    tool_name: textField('Tool Name', 'The tool that was called'),
    tool_result: { default: null, description: 'What the tool answered, as text', title: 'Tool Result' },
    error: textField('Error', 'What went wrong'),
    warning: textField('Warning', 'What is worth knowing though nothing went wrong'),
    verify_result: nullable(
      { additionalProperties: true, type: 'object' },
      'Verify Result',
      'What the verifier found',
    ),
    steps_taken: integerField('Steps Taken', 'Steps so far, listings and verifications included'),
    scenarios: nullable({ items: {}, type: 'array' }, 'Scenarios', 'All scenarios, on __list_scenarios__'),
    total: integerField('Total', 'How many scenarios there are'),
    trajectory_path: textField('Trajectory Path', 'Where the trajectory was written, on the server'),
    session_dir: textField('Session Dir', 'The folder that was kept, on the server'),
  },
  title: 'AWMObservation',
  type: 'object',
};

const STATE: JsonSchema = {
  additionalProperties: true,
  description: 'Where an episode is.',
  properties: {
    episode_id: textField('Episode Id', 'The episode, null before the first reset'),
    step_count: {
      default: 0,
      description: 'Steps since the reset',
      minimum: 0,
      title: 'Step Count',
      type: 'integer',
    },
  },
  title: 'State',
  type: 'object',
};

export const SCHEMAS = { action: ACTION, observation: OBSERVATION_SCHEMA, state: STATE };
