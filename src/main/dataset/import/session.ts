// Reads Hugging Face session traces: a header line, then a line for each message. Where lines name the one they follow,
// a session is a tree, and each branch of it an episode of its own.
import { ERRORS_OF_CALLS } from '../../../shared/episode/phase.ts';
import { metadataOf, keySet, leftRecord, recordFrom, ownValue, textFrom } from './values.ts';
import { addConversation } from './conversation.ts';
import { createNotes, type ImportNotes } from './importNotes.ts';
import {
  blankEpisode,
  EPISODE_DONE,
  type ImportInput,
  type ImportedEpisode,
  type FormatReader,
} from './formatReader.ts';
import { fileRecords } from './documents.ts';
import { createEpisodeBuilder } from './episodeBuilder.ts';

const SESSION_KEYS = keySet('type id harness');
const SESSION_NOT_RECORDED = ['the environment', 'tool schemas', 'rewards', ERRORS_OF_CALLS];

type SessionLines = { head: unknown; lines: unknown[]; parents: Map<string, string | null>; pointer: string };

/** One episode a session, or one for each branch of it. */
export const readSessions: FormatReader = async function* (input) {
  let session: SessionLines | null = null;
  let index = 0;
  const episodesOf = function* ({ head, lines, parents, pointer }: SessionLines): Generator<ImportedEpisode> {
    for (const branch of branchesOf(lines, parents, input.notes)) {
      yield sessionEpisode(input, { head, ...branch, pointer }, index);
      index += 1;
    }
  };
  for await (const { value, pointer } of fileRecords(input)) {
    const type = ownValue(value, 'type');
    const isHead = type === 'session';
    if (isHead && session !== null) yield* episodesOf(session);
    if (isHead || session === null)
      session = { head: isHead ? value : null, lines: [], parents: new Map(), pointer: pointer.trim() };
    if (isHead) continue;
    const [id, parent] = [textFrom(ownValue(value, 'id')), textFrom(ownValue(value, 'parentId'))];
    if (id !== null && session.parents.has(id))
      input.notes.note('repeated_line', 'a line whose id was there before is left out', pointer.trim());
    else if (type === 'message') session.lines.push(value);
    else {
      const words = 'a line that is neither a session nor a message';
      input.notes.skip('unknown_line', words, pointer.trim(), leftRecord(value));
    }
    if (id !== null && !session.parents.has(id)) session.parents.set(id, parent);
  }
  if (session !== null) yield* episodesOf(session);
};

/** So many branches of a session are read, the newest, and messages of all: each has those before it parted once more. */
const BRANCHES_MAX = 200;
const BRANCH_MESSAGES_MAX = 200_000;

/** A branch; what stands before `trainsFrom` it shares with the branch that was begun first, which trains it. */
type Branch = { lines: unknown[]; trainsFrom: number };

/**
 * The messages from a first one to each that no other follows, in the order of these last ones. What follows a line that
 * is no message follows the message before that; what follows a line that is not there begins a branch of its own.
 */
function* branchesOf(
  lines: readonly unknown[],
  parents: ReadonlyMap<string, string | null>,
  notes: ImportNotes,
): Generator<Branch> {
  if (!lines.some((line) => ownValue(line, 'parentId') !== undefined))
    return yield { lines: [...lines], trainsFrom: 0 };
  const byId = new Map(
    lines.flatMap((line) => {
      const id = textFrom(ownValue(line, 'id'));
      return id === null ? [] : [[id, line] as const];
    }),
  );
  const before = new Map<unknown, unknown>();
  lines.forEach((line, at) => {
    const seen = new Set<string>();
    let parent = textFrom(ownValue(line, 'parentId'));
    while (parent !== null && !byId.has(parent) && !seen.has(parent)) {
      if (!parents.has(parent)) notes.note('no_parent', 'a message whose parent is not in the file');
      seen.add(parent);
      parent = parents.get(parent) ?? null;
    }
    const followed = ownValue(line, 'id') === undefined ? lines[at - 1] : byId.get(parent ?? '');
    if (followed !== undefined && followed !== line) before.set(line, followed);
  });
  const followed = new Set(before.values());
  // Which branch goes on first from a line does not change when the session grows.
  const next = new Map([...before].toReversed().map(([line, parent]) => [parent, line]));
  const last = lines.filter((line) => !followed.has(line));
  // Lines that follow each other in a circle have no last one.
  const ends = last.length === 0 ? lines.slice(-1) : last;
  const first = Math.max(0, ends.length - BRANCHES_MAX);
  let told = 0;
  for (const [at, end] of ends.entries()) {
    const branch = new Set<unknown>();
    for (let line = end; at >= first && line !== undefined && !branch.has(line); line = before.get(line))
      branch.add(line);
    told += branch.size;
    if (branch.size > 0 && (told === branch.size || told <= BRANCH_MESSAGES_MAX)) {
      const whole = [...branch].toReversed();
      yield {
        lines: whole,
        trainsFrom: whole.findLastIndex((line, i) => i > 0 && next.get(whole[i - 1]) !== line),
      };
    } else
      notes.skip(
        'too_many_branches',
        'a branch of a session that has too many is left out',
        null,
        leftRecord(end),
      );
  }
}

function sessionEpisode(
  input: ImportInput,
  { head, lines, trainsFrom, pointer }: Omit<SessionLines, 'parents' | 'lines'> & Branch,
  index: number,
): ImportedEpisode {
  const notes = createNotes(input.notes);
  const builder = createEpisodeBuilder(notes);
  const heard = addConversation(
    builder,
    lines.map((line) => ownValue(line, 'message')),
    {
      pointer: `${pointer} +`,
      marksOf: (index) => (index < trainsFrom ? { weight: 0 } : {}),
    },
  );
  const answer = builder.finish();
  const id = textFrom(ownValue(head, 'id'));
  return {
    ...blankEpisode(index, notes),
    environment: textFrom(ownValue(head, 'harness')),
    task: heard.task,
    model: heard.model,
    protocol: heard.usesTags ? 'xml' : heard.hasCalls ? 'native' : null,
    startedAt: builder.entries.find(({ at }) => at !== null)?.at ?? null,
    body: builder.entries,
    end: { ...EPISODE_DONE, final_answer: answer },
    notRecorded: SESSION_NOT_RECORDED,
    extra: { ...metadataOf(recordFrom(head), SESSION_KEYS, notes), ...(id === null ? {} : { session: id }) },
    sources: [{ value: head }, { value: lines, path: 'lines' }],
  };
}
