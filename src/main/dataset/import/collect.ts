// Reads what OpenEnv's collect writes: one episode per line, with its messages and the result of each call.
import {
  metadataOf,
  keySet,
  jsonText,
  leftRecord,
  toolSpecs,
  recordFrom,
  listFrom,
  numberFrom,
  ownValue,
  rewardFrom,
  textFrom,
  wholeOf,
  textFromAny,
} from './values.ts';
import { addConversation, type KnownCallResult } from './conversation.ts';
import { createNotes } from './importNotes.ts';
import {
  blankEpisode,
  EPISODE_DONE,
  type ImportInput,
  type ImportedEpisode,
  type FormatReader,
} from './formatReader.ts';
import { fileRecords, type RecordFound } from './documents.ts';
import { createEpisodeBuilder } from './episodeBuilder.ts';

const COLLECT_NOT_RECORDED = ['times', 'the system prompt', 'the model', 'token counts'];

const COLLECT_KEYS = keySet('messages tool_trace task reward');

/** One episode a line; `metadata.json` beside it is kept. */
export const readCollect: FormatReader = async function* (input) {
  let index = 0;
  const ids = new Set<string>();
  for await (const found of fileRecords(input)) {
    const id = textFrom(ownValue(found.value, 'episode_id'));
    if (!Array.isArray(ownValue(found.value, 'messages'))) {
      const place = found.pointer.trim() || null;
      input.notes.skip('no_messages', 'a record without messages', place, leftRecord(found.value));
      continue;
    }
    if (id !== null && ids.has(id))
      input.notes.note('duplicate_id', `the episode_id ${id} stands there twice`, found.pointer.trim());
    if (id !== null) ids.add(id);
    yield collectEpisode(input, found, index);
    index += 1;
  }
};

function collectEpisode(input: ImportInput, { value, pointer }: RecordFound, index: number): ImportedEpisode {
  const notes = createNotes(input.notes);
  const builder = createEpisodeBuilder(notes);
  const trace = listFrom(ownValue(value, 'tool_trace'));
  const heard = addConversation(builder, listFrom(ownValue(value, 'messages')), {
    pointer: `${pointer}/messages`,
    // A trace has no call ids: the k-th result is the k-th trace.
    resultOf: (_message, place) => (place < trace.length ? knownResult(trace[place]) : {}),
  });
  const answer = builder.finish();
  const task = ownValue(value, 'task');
  const extra = ownValue(value, 'extra');
  const tools = toolSpecs(ownValue(extra, 'tools'));
  const metrics = recordFrom(ownValue(value, 'metrics'));
  const isCut = metrics['truncated'] === true;
  return {
    ...blankEpisode(index, notes),
    scenario: textFrom(ownValue(task, 'scenario')) ?? textFrom(ownValue(extra, 'scenario')),
    task_idx: wholeOf(ownValue(task, 'task_idx')) ?? wholeOf(ownValue(extra, 'task_idx')),
    task: textFrom(task) ?? textFrom(ownValue(task, 'task')) ?? heard.task,
    model: heard.model,
    protocol: heard.usesTags ? 'xml' : heard.hasCalls ? 'native' : null,
    tools,
    body: builder.entries,
    end: {
      ...EPISODE_DONE,
      outcome: isCut ? 'limit' : 'done',
      reason: isCut ? 'truncated' : null,
      final_answer: answer,
      reward: rewardFrom(ownValue(value, 'reward')),
      reward_type: textFrom(ownValue(ownValue(value, 'verify_metrics'), 'reward_type')),
    },
    notRecorded: tools.length === 0 ? [...COLLECT_NOT_RECORDED, 'tool schemas'] : COLLECT_NOT_RECORDED,
    companions: input.beside
      .filter(({ name }) => name === 'metadata.json')
      .map((file) => ({ role: 'metadata', file })),
    extra: metadataOf(recordFrom(value), COLLECT_KEYS, notes),
    sources: [{ value }],
  };
}

function knownResult(trace: unknown): KnownCallResult {
  const result = ownValue(trace, 'result');
  const error = ownValue(result, 'error');
  const metadata = ownValue(result, 'metadata');
  const data = ownValue(result, 'data');
  return {
    frame: jsonText(trace),
    ...(error === null || error === undefined
      ? { text: data === null || data === undefined ? null : textFromAny(data) }
      : { text: null, error: textFromAny(error) }),
    reward: rewardFrom(ownValue(metadata, 'reward')) ?? numberFrom(ownValue(result, 'reward')),
    reward_type: textFrom(ownValue(metadata, 'reward_type')),
    done: ownValue(result, 'done') === true,
  };
}
