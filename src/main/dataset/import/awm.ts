// Reads the trajectory an Agent World Model server leaves behind, with the databases beside it.
import { normalizeScenario } from '../../../shared/wire.ts';
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
import { documentsOf, type Document } from './documents.ts';
import { nativeCall } from './moves.ts';
import { type Path, createNotes } from './importNotes.ts';
import {
  blankEpisode,
  EPISODE_DONE,
  type CompanionFile,
  type ImportInput,
  type ImportedEpisode,
  type FormatReader,
} from './formatReader.ts';
import { createEpisodeBuilder, type EpisodeBuilder, NO_RESULT } from './episodeBuilder.ts';
import type { Wish } from './walk.ts';

const AWM_NOT_RECORDED = [
  'times',
  'the agent’s text and model',
  'messages',
  'tool schemas',
  'the reset',
  'rewards and labels of single calls',
];

/** Fields that are read; the number of steps is kept beside them. */
const AWM_KEYS = keySet('scenario task_idx task trajectory');

/** One episode a file, as the server writes it, or one a line, as exports hold them. */
export const readAwm: FormatReader = async function* (input) {
  let index = 0;
  for await (const document of documentsOf(input, awmWish)) {
    yield awmEpisode(input, document, index);
    index += 1;
  }
};

const awmWish = (path: Path): Wish =>
  path.length < 2 && (path[0] ?? 'trajectory') === 'trajectory' ? 'into' : 'take';

function awmEpisode(
  input: ImportInput,
  { tree, pointer, isAlone }: Document,
  index: number,
): ImportedEpisode {
  const notes = createNotes(input.notes);
  const builder = createEpisodeBuilder(notes);
  const items = indexedSteps(tree, 'trajectory', pointer, notes);
  for (const { step, pointer: at } of items) addAwmStep(builder, step, at);
  const steps = wholeOf(tree['steps']);
  if (steps !== null && steps > items.length) {
    const missing = `${String(steps)} steps were taken, ${String(items.length)} are recorded`;
    notes.note('steps_missing', missing, `${pointer}/steps`);
  }
  builder.finish();
  return {
    ...blankEpisode(index, notes),
    scenario: textFrom(tree['scenario']),
    task_idx: wholeOf(tree['task_idx']),
    task: textFrom(tree['task']),
    body: builder.entries,
    end: { ...EPISODE_DONE, ...lastVerdict(items.map(({ step }) => step)) },
    notRecorded: AWM_NOT_RECORDED,
    // Databases that lie beside a file are those of its one episode.
    companions: isAlone ? databases(input, textFrom(tree['scenario']) ?? '') : [],
    extra: metadataOf(tree, AWM_KEYS, notes),
    sources: [{ value: tree }],
  };
}

function addAwmStep(builder: EpisodeBuilder, item: unknown, pointer: string): void {
  const frame = jsonText(item);
  switch (ownValue(item, 'action')) {
    case 'list_tools': {
      builder.call(nativeCall('', 'list_tools', {}));
      builder.result(null, { ...NO_RESULT, frame, tools: namedTools(ownValue(item, 'tool_names')) });
      return;
    }
    case 'call_tool': {
      builder.call(nativeCall('', textFrom(ownValue(item, 'tool_name')) ?? '', ownValue(item, 'arguments')));
      const isOk = ownValue(item, 'success') !== false;
      const result = ownValue(item, 'result');
      const error = ownValue(item, 'error');
      builder.result(null, {
        ...NO_RESULT,
        frame,
        text: result === null || result === undefined ? null : textFromAny(result),
        error: isOk ? null : error === null || error === undefined ? 'the call failed' : textFromAny(error),
      });
      return;
    }
    case 'verify': {
      const args = ownValue(item, 'arguments');
      builder.verdict({
        mode: textFrom(ownValue(args, 'verifier_mode')) ?? 'code',
        final_answer: textFrom(ownValue(args, 'final_answer')),
        reward_type: textFrom(ownValue(item, 'reward_type')),
        reward: rewardFrom(ownValue(item, 'reward')),
        result: jsonFrom(ownValue(item, 'verify_result')),
        error: textFrom(ownValue(item, 'error')),
        frame,
        at: null,
      });
      return;
    }
    default:
      builder.notes.skip(
        'unknown_step',
        `a step of an unknown kind: ${textFromAny(ownValue(item, 'action')).slice(0, 60)}`,
        pointer,
      );
  }
}

function lastVerdict(items: readonly unknown[]) {
  const last = items.findLast((item) => ownValue(item, 'action') === 'verify');
  const answer = textFrom(ownValue(ownValue(last, 'arguments'), 'final_answer'));
  return {
    reward_type: textFrom(ownValue(last, 'reward_type')),
    reward: rewardFrom(ownValue(last, 'reward')),
    final_answer: answer === '' ? null : answer,
  };
}

/** `<scenario>_initial.db` and `<scenario>.db`, as the server names them. */
function databases({ beside }: ImportInput, scenario: string): ImportedEpisode['companions'] {
  const name = normalizeScenario(scenario);
  const found = (file: string): CompanionFile | undefined => beside.find((one) => one.name === file);
  const [initial, final] = [found(`${name}_initial.db`), found(`${name}.db`)];
  return [
    ...(initial === undefined ? [] : [{ role: 'initial_database' as const, file: initial }]),
    ...(final === undefined ? [] : [{ role: 'final_database' as const, file: final }]),
  ];
}
