// Owns: reading the trajectory an Agent World Model server leaves behind, with the databases that lie beside it.
import { normalizeScenario } from '../../../shared/wire.ts';
import { documentsOf, type Document } from './documents.ts';
import { nativeCall } from './moves.ts';
import { blankEpisode, DONE, type Beside, type Input, type ReadEpisode, type Reader } from './read.ts';
import { createTelling, type Telling } from './telling.ts';
import { NO_RESULT } from './told.ts';
import { namedTools } from './toolSpecs.ts';
import { asJson, stepsIn, own, rewardOf, textOf, wholeOf, wordsOf } from './values.ts';
import { createNotes } from './notes.ts';
import type { Path, Wish } from './walk.ts';

const NOT_RECORDED = [
  'times',
  'the agent’s text and model',
  'messages',
  'tool schemas',
  'the reset',
  'rewards and labels of single calls',
];

/** One episode a file, as the server writes it, or one a line, as exports hold them. */
export const readAwm: Reader = async function* (input) {
  let index = 0;
  for await (const document of documentsOf(input, wish)) {
    if (!input.isKnown(index)) yield episodeOf(input, document, index);
    index += 1;
  }
};

const wish = (path: Path): Wish =>
  path.length < 2 && (path[0] ?? 'trajectory') === 'trajectory' ? 'into' : 'take';

function episodeOf(input: Input, { tree, pointer, isAlone }: Document, index: number): ReadEpisode {
  const notes = createNotes(input.notes);
  const telling = createTelling(notes);
  const items = stepsIn(tree, 'trajectory', pointer, notes);
  for (const { step, pointer: at } of items) tellStep(telling, step, at);
  const steps = wholeOf(tree['steps']);
  if (steps !== null && steps > items.length) {
    const missing = `${String(steps)} steps were taken, ${String(items.length)} are recorded`;
    notes.note('steps_missing', missing, `${pointer}/steps`);
  }
  telling.finish();
  return {
    ...blankEpisode(index, notes),
    scenario: textOf(tree['scenario']),
    taskIdx: wholeOf(tree['task_idx']),
    task: textOf(tree['task']),
    body: telling.entries,
    end: { ...DONE, ...lastVerdict(items.map(({ step }) => step)) },
    notRecorded: NOT_RECORDED,
    // Databases that lie beside a file are those of its one episode.
    companions: isAlone ? databases(input, textOf(tree['scenario']) ?? '') : [],
    extra: steps === null ? {} : { steps },
  };
}

function tellStep(telling: Telling, item: unknown, pointer: string): void {
  const frame = JSON.stringify(item);
  switch (own(item, 'action')) {
    case 'list_tools': {
      telling.call(nativeCall('', 'list_tools', {}));
      telling.result(null, { ...NO_RESULT, frame, tools: namedTools(own(item, 'tool_names')) });
      return;
    }
    case 'call_tool': {
      telling.call(nativeCall('', textOf(own(item, 'tool_name')) ?? '', own(item, 'arguments')));
      const isOk = own(item, 'success') !== false;
      const result = own(item, 'result');
      const error = own(item, 'error');
      telling.result(null, {
        ...NO_RESULT,
        frame,
        text: result === null || result === undefined ? null : wordsOf(result),
        error: isOk ? null : error === null || error === undefined ? 'the call failed' : wordsOf(error),
      });
      return;
    }
    case 'verify': {
      const args = own(item, 'arguments');
      telling.verdict({
        mode: textOf(own(args, 'verifier_mode')) ?? 'code',
        finalAnswer: textOf(own(args, 'final_answer')),
        rewardType: textOf(own(item, 'reward_type')),
        reward: rewardOf(own(item, 'reward')),
        result: asJson(own(item, 'verify_result')),
        error: textOf(own(item, 'error')),
        frame,
        at: null,
      });
      return;
    }
    default:
      telling.notes.skip(
        'unknown_step',
        `a step of an unknown kind: ${wordsOf(own(item, 'action')).slice(0, 60)}`,
        pointer,
      );
  }
}

function lastVerdict(items: readonly unknown[]) {
  const last = items.findLast((item) => own(item, 'action') === 'verify');
  const answer = textOf(own(own(last, 'arguments'), 'final_answer'));
  return {
    rewardType: textOf(own(last, 'reward_type')),
    reward: rewardOf(own(last, 'reward')),
    finalAnswer: answer === '' ? null : answer,
  };
}

/** `<scenario>_initial.db` and `<scenario>.db`, as the server names them. */
function databases({ beside }: Input, scenario: string): ReadEpisode['companions'] {
  const name = normalizeScenario(scenario);
  const found = (file: string): Beside | undefined => beside.find((one) => one.name === file);
  const [initial, final] = [found(`${name}_initial.db`), found(`${name}.db`)];
  return [
    ...(initial === undefined ? [] : [{ role: 'initial_database' as const, file: initial }]),
    ...(final === undefined ? [] : [{ role: 'final_database' as const, file: final }]),
  ];
}
