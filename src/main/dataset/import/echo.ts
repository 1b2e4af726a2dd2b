// Owns: reading an ECHO fixture: the actions of one episode and what each of them gave.
import { nativeCall } from './moves.ts';
import { createNotes } from './notes.ts';
import { blankEpisode, DONE, type Reader } from './read.ts';
import { createTelling, type Telling } from './telling.ts';
import { NO_RESULT } from './told.ts';
import { namedTools } from './toolSpecs.ts';
import { readTree } from './tree.ts';
import { asJson, stepsIn, own, rewardOf, textOf, wholeOf, wordsOf } from './values.ts';

const NOT_RECORDED = [
  'times',
  'the agent’s text and model',
  'messages',
  'tool schemas',
  'the reset',
  'rewards of single calls',
];

/** One episode a file. */
export const readEcho: Reader = async function* (input) {
  if (input.isKnown(0)) return;
  const notes = createNotes(input.notes);
  const tree = await readTree(input.chunks(), {
    wish: (path) => (path.length < 2 && (path[0] ?? 'steps') === 'steps' ? 'into' : 'take'),
    notes,
  });
  const telling = createTelling(notes);
  const steps = stepsIn(tree, 'steps', '', notes);
  for (const { step } of steps) tellStep(telling, step);
  telling.finish();
  const last = own(steps.at(-1)?.step, 'observation');
  yield {
    ...blankEpisode(0, notes),
    scenario: textOf(tree['scenario']),
    taskIdx: wholeOf(tree['task_idx']),
    task: textOf(tree['task']),
    tools: namedTools(tree['tools']),
    body: telling.entries,
    end: { ...DONE, reward: rewardOf(tree['reward']), rewardType: textOf(own(last, 'reward_type')) },
    notRecorded: NOT_RECORDED,
  };
};

function tellStep(telling: Telling, step: unknown): void {
  const action = own(step, 'action');
  const observation = own(step, 'observation');
  const frame = JSON.stringify(observation ?? null);
  const name = textOf(own(action, 'tool_name')) ?? '';
  const error = own(observation, 'error');
  const failed = error === null || error === undefined ? null : wordsOf(error);
  const rewardType = textOf(own(observation, 'reward_type'));
  if (name === 'verify') {
    const args = own(action, 'arguments');
    telling.verdict({
      mode: textOf(own(args, 'verifier_mode')) ?? 'code',
      finalAnswer: textOf(own(args, 'final_answer')),
      rewardType,
      reward: rewardOf(own(observation, 'reward')),
      result: asJson(own(observation, 'verify_result')),
      error: failed,
      frame,
      at: null,
    });
    return;
  }
  telling.call(nativeCall('', name, own(action, 'arguments')));
  if (observation === undefined || observation === null) return;
  const text = own(observation, 'tool_result');
  telling.result(null, {
    ...NO_RESULT,
    text: text === null || text === undefined ? null : wordsOf(text),
    error: failed,
    rewardType,
    reward: rewardOf(own(observation, 'reward')),
    done: own(observation, 'done') === true,
    frame,
  });
}
