// TRL prompts for reinforcement learning, one row per task.
import type { Format } from '../format.ts';
import { safeText } from '../json.ts';
import { environmentOf } from '../select.ts';
import { rowFacts, messageColumns, scenarioOf, taskIndex, turnOrigin } from '../rowFacts.ts';
import { AGENT } from '../../../../shared/events/actor.ts';
import { chatRows, createTally, trainingConversation, type ChatRow } from '../trainingConversation.ts';
import type { ExportRules } from '../../../../shared/contract/export.ts';
import type { EpisodeInput } from '../format.ts';

/** The same task of two episodes is the same row. */
export const grpo: Format = {
  id: 'grpo',
  verdict: 'any',
  columns: [
    ...messageColumns('prompt'),
    { name: 'environment_name', type: 'string' },
    { name: 'scenario', type: 'string' },
    { name: 'task_idx', type: 'int64' },
    { name: 'verifier_mode', type: 'string' },
  ],
  says:
    'TRL prompts for GRPO and RLOO, one row for each (environment, scenario, task). Columns other than `prompt` reach the ' +
    'environment’s `reset(**row)` and every reward function. `prompt` is the one the agent of the log began with. ' +
    '`environment_name` is what people call the server: a column `environment` would be a key of TRL’s ' +
    '`environment_factory`. There is no `tools` column: TRL reads tools from the environment. The reward is the ' +
    'environment’s.',
  rows: (input, rules) => {
    const tally = createTally();
    const { record } = input;
    const [scenario, task_idx] = [scenarioOf(record), taskIndex(record)];
    const environment = environmentOf(record);
    const prompt = grpoPrompt(input, rules);
    if (scenario === '' || task_idx < 0) {
      tally.drop('no_scenario');
      return tally.made();
    }
    if (prompt.length === 0) {
      tally.drop('no_task');
      return tally.made();
    }
    const origin = turnOrigin(null, 'task', { actor: AGENT, privilege: [] });
    const facts = rowFacts(record, {
      origin,
      identity: JSON.stringify([environment, scenario, task_idx]),
      read: [],
      taught: [],
      n: 1,
    });
    tally.rows.push({
      row: {
        prompt,
        // TRL takes a column "environment" for a key of its `environment_factory`.
        environment_name: environment,
        scenario,
        task_idx,
        verifier_mode: record.verified?.verifier_mode ?? 'code',
      },
      facts: {
        ...facts,
        mask: () =>
          prompt.map(({ role, content }) => ({ role, text: content, trains: false, why: 'prompt' })),
      },
    });
    return tally.made();
  },
};

/** The lines before the first reply; if nobody recorded them, the task alone. */
function grpoPrompt(input: EpisodeInput, rules: ExportRules): ChatRow[] {
  const conversation = trainingConversation(input, rules);
  const task = input.record.reset?.task ?? null;
  const bare: ChatRow[] = task === null ? [] : [{ role: 'user', content: safeText(input.loadText(task)) }];
  if (typeof conversation === 'string') return bare;
  const first = conversation.transcript.lines.findIndex(({ kind }) => kind === 'reply');
  const read = conversation
    .part(0, first === -1 ? conversation.transcript.lines.length : first)
    .filter(({ kind }) => kind === 'prompt');
  return read.some(({ role }) => role === 'user') ? chatRows(read, rules) : bare;
}
