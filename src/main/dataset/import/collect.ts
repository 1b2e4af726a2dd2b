// Owns: reading what OpenEnv's collect writes: an episode a line, with its messages and what each call gave.
import { tellMessages, type Known } from './conversation.ts';
import { createNotes } from './notes.ts';
import { blankEpisode, DONE, type Input, type ReadEpisode, type Reader } from './read.ts';
import { recordsOf, type RecordFound } from './records.ts';
import { createTelling } from './telling.ts';
import { toolSpecs } from './toolSpecs.ts';
import { asJson, fieldsOf, listOf, numberOf, own, rewardOf, textOf, wholeOf, wordsOf } from './values.ts';

const NOT_RECORDED = ['times', 'the system prompt', 'the model', 'token counts'];

/** One episode a line; `metadata.json` beside it is kept. */
export const readCollect: Reader = async function* (input) {
  let index = 0;
  const ids = new Set<string>();
  for await (const found of recordsOf(input)) {
    const id = textOf(own(found.value, 'episode_id'));
    if (!Array.isArray(own(found.value, 'messages'))) {
      input.notes.skip('no_messages', 'a record without messages', found.pointer.trim() || null);
      continue;
    }
    if (id !== null && ids.has(id))
      input.notes.note('duplicate_id', `the episode_id ${id} stands there twice`, found.pointer.trim());
    if (id !== null) ids.add(id);
    if (!input.isKnown(index)) yield episodeOf(input, found, index);
    index += 1;
  }
};

function episodeOf(input: Input, { value, pointer }: RecordFound, index: number): ReadEpisode {
  const notes = createNotes(input.notes);
  const telling = createTelling(notes);
  const trace = listOf(own(value, 'tool_trace'));
  const heard = tellMessages(telling, listOf(own(value, 'messages')), {
    pointer: `${pointer}/messages`,
    // A trace has no call ids: the k-th result is the k-th trace.
    resultOf: (_message, place) => (place < trace.length ? traceOf(trace[place]) : {}),
  });
  const answer = telling.finish();
  const task = own(value, 'task');
  const extra = own(value, 'extra');
  const tools = toolSpecs(own(extra, 'tools'));
  const metrics = fieldsOf(own(value, 'metrics'));
  const isCut = metrics['truncated'] === true;
  return {
    ...blankEpisode(index, notes),
    scenario: textOf(own(task, 'scenario')) ?? textOf(own(extra, 'scenario')),
    taskIdx: wholeOf(own(task, 'task_idx')) ?? wholeOf(own(extra, 'task_idx')),
    task: textOf(task) ?? textOf(own(task, 'task')) ?? heard.task,
    model: heard.model,
    protocol: heard.usesTags ? 'xml' : heard.hasCalls ? 'native' : null,
    tools,
    body: telling.entries,
    end: {
      ...DONE,
      outcome: isCut ? 'limit' : 'done',
      reason: isCut ? 'truncated' : null,
      finalAnswer: answer,
      reward: rewardOf(own(value, 'reward')),
      rewardType: textOf(own(own(value, 'verify_metrics'), 'reward_type')),
    },
    notRecorded: tools.length === 0 ? [...NOT_RECORDED, 'tool schemas'] : NOT_RECORDED,
    companions: input.beside
      .filter(({ name }) => name === 'metadata.json')
      .map((file) => ({ role: 'metadata', file })),
    extra: {
      episode_id: asJson(own(value, 'episode_id')),
      metrics: asJson(own(value, 'metrics')),
      verify_metrics: asJson(own(value, 'verify_metrics')),
    },
  };
}

function traceOf(trace: unknown): Known {
  const result = own(trace, 'result');
  const error = own(result, 'error');
  const metadata = own(result, 'metadata');
  const data = own(result, 'data');
  return {
    frame: JSON.stringify(trace),
    ...(error === null || error === undefined
      ? { text: data === null || data === undefined ? null : wordsOf(data) }
      : { text: null, error: wordsOf(error) }),
    reward: rewardOf(own(metadata, 'reward')) ?? numberOf(own(result, 'reward')),
    rewardType: textOf(own(metadata, 'reward_type')),
    done: own(result, 'done') === true,
  };
}
