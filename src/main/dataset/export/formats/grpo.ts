// Owns: TRL prompts for training by reinforcement: a row a task.
import type { Format } from '../format.ts';
import { safeText } from '../json.ts';
import { factsOf, messageColumns, scenarioOf, taskIdxOf } from '../rowFacts.ts';
import { chatRows, createTally, talkOf, type ChatRow } from '../talk.ts';
import type { ExportRules } from '../../../../shared/contract/export.ts';
import type { Told } from '../format.ts';

/** The same task of two episodes is the same row. */
export const grpo: Format = {
  id: 'grpo',
  verdict: 'any',
  columns: [
    ...messageColumns('prompt'),
    { name: 'scenario', type: 'string' },
    { name: 'task_idx', type: 'int64' },
    { name: 'verifier_mode', type: 'string' },
  ],
  says:
    'TRL prompts for GRPO and RLOO, one row for each (scenario, task). Columns other than `prompt` reach the ' +
    'environment’s `reset(**row)` and every reward function. `prompt` is the one the agent of the log began with. ' +
    'There is no `tools` column: TRL reads tools from the environment. The reward is the environment’s.',
  rows: (told, rules) => {
    const tally = createTally();
    const { record } = told;
    const [scenario, task_idx] = [scenarioOf(record), taskIdxOf(record)];
    const prompt = promptOf(told, rules);
    if (scenario === '' || task_idx < 0 || prompt.length === 0) {
      tally.drop('no_task');
      return tally.made();
    }
    const origin = { consultation: null, turn: null, actor: 'agent' as const, act: 'task', privilege: [] };
    const facts = factsOf(record, {
      origin,
      identity: JSON.stringify([scenario, task_idx]),
      read: [],
      taught: [],
      n: 1,
    });
    tally.rows.push({
      row: { prompt, scenario, task_idx, verifier_mode: record.verified?.verifier_mode ?? 'code' },
      facts: {
        ...facts,
        mask: () =>
          prompt.map(({ role, content }) => ({ role, text: content, trains: false, why: 'prompt' })),
      },
    });
    return tally.made();
  },
};

/** What stood before the first reply; where nobody recorded it, the task alone. */
function promptOf(told: Told, rules: ExportRules): ChatRow[] {
  const talk = talkOf(told, rules);
  const task = told.record.reset?.task ?? null;
  const bare: ChatRow[] = task === null ? [] : [{ role: 'user', content: safeText(told.whole(task)) }];
  if (typeof talk === 'string') return bare;
  const first = talk.story.lines.findIndex(({ kind }) => kind === 'reply');
  const read = talk
    .part(0, first === -1 ? talk.story.lines.length : first)
    .filter(({ kind }) => kind === 'prompt');
  return read.some(({ role }) => role === 'user') ? chatRows(read, rules.arguments) : bare;
}
