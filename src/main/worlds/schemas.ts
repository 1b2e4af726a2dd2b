// Owns: the JSON Schemas of `/schema`: actions, observations, state.
// Source of the fields: the Agent World Model's models; the descriptions are ours.

type Schema = Record<string, unknown>;

const nullable = (schema: Schema, title: string, description: string): Schema => ({
  anyOf: [schema, { type: 'null' }],
  default: null,
  description,
  title,
});
const text = (title: string, description: string): Schema => nullable({ type: 'string' }, title, description);
const whole = (title: string, description: string): Schema =>
  nullable({ type: 'integer' }, title, description);
const free = (title: string, description: string): Schema => ({
  additionalProperties: true,
  description,
  title,
  type: 'object',
});

const tag = (name: string): Schema => ({
  const: name,
  default: name,
  description: 'Which action this is',
  title: 'Type',
  type: 'string',
});

const metadata = free('Metadata', 'Whatever a client or a proxy adds; the environment reads none of it');

const ACTION: Schema = {
  $defs: {
    CallToolAction: {
      additionalProperties: false,
      description:
        'Calls one tool of the scenario, or one of the reserved tools verify, done, __list_scenarios__.',
      properties: {
        metadata,
        type: tag('call_tool'),
        tool_name: { description: 'The tool to call', title: 'Tool Name', type: 'string' },
        arguments: free('Arguments', 'The arguments, as an object'),
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

const OBSERVATION: Schema = {
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
    reward_type: text('Reward Type', 'The label the reward follows from'),
    scenario: text('Scenario', 'The scenario, by its normalised name'),
    task: text('Task', 'What the agent is asked to do'),
    task_idx: whole('Task Idx', 'The task by its number'),
    has_verifier: nullable(
      { anyOf: [{ additionalProperties: true, type: 'object' }, { type: 'boolean' }] },
      'Has Verifier',
      'Which verifiers the task has: {sql, code}',
    ),
    num_tools: whole('Num Tools', 'How many tools the scenario has'),
    tool_name: text('Tool Name', 'The tool that was called'),
    tool_result: { default: null, description: 'What the tool answered, as text', title: 'Tool Result' },
    error: text('Error', 'What went wrong'),
    warning: text('Warning', 'What is worth knowing though nothing went wrong'),
    verify_result: nullable(
      { additionalProperties: true, type: 'object' },
      'Verify Result',
      'What the verifier found',
    ),
    steps_taken: whole('Steps Taken', 'Steps so far, listings and verifications included'),
    scenarios: nullable({ items: {}, type: 'array' }, 'Scenarios', 'All scenarios, on __list_scenarios__'),
    total: whole('Total', 'How many scenarios there are'),
    trajectory_path: text('Trajectory Path', 'Where the trajectory was written, on the server'),
    session_dir: text('Session Dir', 'The folder that was kept, on the server'),
  },
  title: 'AWMObservation',
  type: 'object',
};

const STATE: Schema = {
  additionalProperties: true,
  description: 'Where an episode is.',
  properties: {
    episode_id: text('Episode Id', 'The episode, null before the first reset'),
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

export const SCHEMAS = { action: ACTION, observation: OBSERVATION, state: STATE };
