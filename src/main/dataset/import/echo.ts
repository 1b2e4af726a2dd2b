// Reads an ECHO fixture: the actions of one episode and the result of each.
import {
  metadataOf,
  keySet,
  jsonText,
  namedTools,
  jsonFrom,
  indexedSteps,
  ownValue,
  rewardFrom,
  textFrom,
  wholeOf,
  textFromAny,
} from './values.ts';
import { nativeCall } from './moves.ts';
import { createNotes } from './importNotes.ts';
import { blankEpisode, EPISODE_DONE, type FormatReader } from './formatReader.ts';
import { createEpisodeBuilder, type EpisodeBuilder, NO_RESULT } from './episodeBuilder.ts';
import { readDocumentTree } from './documents.ts';

const ECHO_NOT_RECORDED = [
  'times',
  'the agent’s text and model',
  'messages',
  'tool schemas',
  'the reset',
  'rewards of single calls',
];

const ECHO_KEYS = keySet('scenario task_idx task tools steps reward');

/** One episode a file. */
export const readEcho: FormatReader = async function* (input) {
  const notes = createNotes(input.notes);
  const tree = await readDocumentTree(input.chunks(), {
    wish: (path) => (path.length < 2 && (path[0] ?? 'steps') === 'steps' ? 'into' : 'take'),
    notes,
  });
  const builder = createEpisodeBuilder(notes);
  const steps = indexedSteps(tree, 'steps', '', notes);
  for (const { step } of steps) addEchoStep(builder, step);
  builder.finish();
  const last = ownValue(steps.at(-1)?.step, 'observation');
  yield {
    ...blankEpisode(0, notes),
    scenario: textFrom(tree['scenario']),
    task_idx: wholeOf(tree['task_idx']),
    task: textFrom(tree['task']),
    tools: namedTools(tree['tools']),
    body: builder.entries,
    end: {
      ...EPISODE_DONE,
      reward: rewardFrom(tree['reward']),
      reward_type: textFrom(ownValue(last, 'reward_type')),
    },
    notRecorded: ECHO_NOT_RECORDED,
    extra: metadataOf(tree, ECHO_KEYS, notes),
    sources: [{ value: tree }],
  };
};

function addEchoStep(builder: EpisodeBuilder, step: unknown): void {
  const action = ownValue(step, 'action');
  const observation = ownValue(step, 'observation');
  const frame = jsonText(observation ?? null);
  const name = textFrom(ownValue(action, 'tool_name')) ?? '';
  const error = ownValue(observation, 'error');
  const failed = error === null || error === undefined ? null : textFromAny(error);
  const reward_type = textFrom(ownValue(observation, 'reward_type'));
  if (name === 'verify') {
    const args = ownValue(action, 'arguments');
    builder.verdict({
      mode: textFrom(ownValue(args, 'verifier_mode')) ?? 'code',
      final_answer: textFrom(ownValue(args, 'final_answer')),
      reward_type,
      reward: rewardFrom(ownValue(observation, 'reward')),
      result: jsonFrom(ownValue(observation, 'verify_result')),
      error: failed,
      frame,
      at: null,
    });
    return;
  }
  builder.call(nativeCall('', name, ownValue(action, 'arguments')));
  if (observation === undefined || observation === null) return;
  const text = ownValue(observation, 'tool_result');
  builder.result(null, {
    ...NO_RESULT,
    text: text === null || text === undefined ? null : textFromAny(text),
    error: failed,
    reward_type,
    reward: rewardFrom(ownValue(observation, 'reward')),
    done: ownValue(observation, 'done') === true,
    frame,
  });
}
