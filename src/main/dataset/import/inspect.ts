// Reads Inspect logs, as one JSON document or as an archive: the header, then each sample as an episode.
import type { Chunks } from './bytes.ts';
import { utf8Chunks, documentValues } from './bytes.ts';
import { LIMITS, sizeWords, ImportStop } from './limits.ts';
import { createNotes, type ImportNotes, type Path } from './importNotes.ts';
import { sampleWish, sampleEpisode, type LogHeader } from './inspectSample.ts';
import { poolRange, recordFrom, isJsonRecord, listFrom, parseValue, type JsonRecord } from './values.ts';
import type { ImportInput, FormatReader } from './formatReader.ts';
import { place, readParts, readDocumentTree } from './documents.ts';
import type { Wish } from './walk.ts';
import { openZip, type ZipMember, type Zip } from './zip.ts';

/** A log as one JSON document: each sample is told as soon as it is complete. */
export const readInspectJson: FormatReader = async function* (input) {
  const header: JsonRecord = {};
  let sample: { index: number; tree: JsonRecord; notes: ImportNotes; size: number } | null = null;
  let isTold = false;
  const wishes = new Map<number, (path: Path) => Wish>();
  const wish = (path: Path): Wish => {
    if (path[0] !== 'samples') return path.length === 0 ? 'into' : 'take';
    const index = path[1];
    if (typeof index !== 'number') return 'into';
    let own = wishes.get(index);
    if (own === undefined) {
      own = sampleWish();
      wishes.clear();
      wishes.set(index, own);
    }
    return own(path.slice(2));
  };
  const values = documentValues(input.chunks(), { wish, notes: input.notes });
  for (;;) {
    const next = await values.next();
    const index =
      next.done === true ? null : next.value.path[0] === 'samples' ? (next.value.path[1] as number) : null;
    if (sample !== null && sample.index !== index) {
      // The last sample of a document that is cut off is not whole.
      const isWhole = next.done !== true || next.value === null;
      isTold = true;
      if (isWhole) yield* sampleEpisode(sample.tree, headerOf(header, input, sample.index === 0), sample);
      else {
        const left = {
          kind: 'samples that are not whole',
          characters: sample.size + (next.value?.left ?? 0),
        };
        const place = `/samples/${String(sample.index)}`;
        input.notes.skip('truncated', 'a sample that is not whole', place, left);
      }
      sample = null;
    }
    if (next.done === true) return;
    const { path, value, size } = next.value;
    if (index === null) {
      // What the log says of its run after the first sample comes too late for it.
      if (isTold) input.notes.passOver(path, size);
      else place(header, path, value);
      continue;
    }
    sample ??= { index, tree: {}, notes: createNotes(input.notes), size: 0 };
    sample.size += size;
    if (sample.size > LIMITS.episodeBytes) throw sampleTooLarge(`/samples/${String(index)}`);
    place(sample.tree, path.slice(2), value);
  }
};

const sampleTooLarge = (pointer: string): ImportStop =>
  new ImportStop('limit_exceeded', `a sample holds more than ${sizeWords(LIMITS.episodeBytes)}`, pointer);

function headerOf(header: JsonRecord, input: ImportInput, isFirst: boolean): LogHeader {
  if (isFirst && !isJsonRecord(header['eval']))
    input.notes.note('no_header', 'the log’s header is missing or comes after its samples', '/eval');
  const version = header['version'];
  if (isFirst && typeof version === 'number' && (version < 1 || version > 3)) {
    input.notes.note('unknown_version', `version ${String(version)} is not known here`, '/version');
  }
  return {
    eval: recordFrom(header['eval']),
    log: isFirst ? header : {},
    version: typeof version === 'number' ? String(version) : null,
    name: input.name,
  };
}

/** A log as an archive: samples in either shape, also without a header when the run never ended. */
export const readInspectZip: FormatReader = async function* (input) {
  const zip = await openZip(() => input.path, input.notes, input.signal);
  const header = await readHeader(zip, input);
  const samples = sampleMembers(zip);
  if (samples.length === 0) throw new ImportStop('no_samples', 'the archive holds no samples');
  for (const [index, sample] of samples.entries()) {
    const notes = createNotes(input.notes);
    try {
      const tree = sample.isChunked
        ? await readChunked(zip, sample.name, notes)
        : await readWhole(zip, sample.member, notes);
      yield* sampleEpisode(tree, headerOf(header, input, index === 0), { index, notes });
    } catch (thrown) {
      if (!(thrown instanceof ImportStop)) throw thrown;
      input.notes.skip(thrown.code, thrown.message, sample.name);
    }
  }
};

const chunksOf = (zip: Zip, member: ZipMember, notes: ImportNotes): Chunks =>
  utf8Chunks(zip.chunks(member), notes);

async function readHeader(zip: Zip, { notes }: ImportInput): Promise<JsonRecord> {
  const header = zip.members.get('header.json');
  const start = zip.members.get('_journal/start.json');
  const member = header ?? start;
  if (member === undefined) return {};
  if (header === undefined) notes.note('no_header', 'the run never ended: the header is that of its start');
  const wish = (path: Path): Wish =>
    path.length === 0 ? 'into' : path[0] === 'reductions' ? 'skip' : 'take';
  const { tree } = await readParts(chunksOf(zip, member, notes), { wish, notes, prefix: member.name });
  return tree;
}

type SampleMember = { name: string; member: ZipMember; isChunked: boolean };

const WHOLE_SAMPLE = /^samples\/(.+)\.json$/;
const SHELL = /^samples\/(.+)\/sample\.json$/;

/** The samples by name, in the order of the archive's directory; an id may hold slashes. */
function sampleMembers({ members }: Zip): SampleMember[] {
  const shells = [...members.values()].filter(({ name }) => {
    const id = SHELL.exec(name)?.[1];
    return id !== undefined && /_epoch_\d+$/.test(id);
  });
  const prefixes = shells.map(({ name }) => name.slice(0, -'sample.json'.length));
  return [...members.values()].flatMap((member): SampleMember[] => {
    const { name } = member;
    if (shells.includes(member))
      return [{ name: name.slice(0, -'/sample.json'.length), member, isChunked: true }];
    if (!WHOLE_SAMPLE.test(name) || prefixes.some((prefix) => name.startsWith(prefix))) return [];
    return [{ name, member, isChunked: false }];
  });
}

function readWhole(zip: Zip, member: ZipMember, notes: ImportNotes): Promise<JsonRecord> {
  return readDocumentTree(chunksOf(zip, member, notes), { wish: sampleWish(), notes, prefix: member.name });
}

/** A sample in pieces: its shell, and sequences whose pieces are named by the place of their first item. */
async function readChunked(zip: Zip, name: string, notes: ImportNotes): Promise<JsonRecord> {
  const shell = zip.members.get(`${name}/sample.json`);
  if (shell === undefined) throw new ImportStop('broken_archive', `${name} has no sample.json`);
  const tree = await readDocumentTree(chunksOf(zip, shell, notes), {
    wish: (path) => (path.length === 0 ? 'into' : 'take'),
    notes,
  });
  const metadata = zip.members.get(`${name}/metadata.json`);
  if (metadata !== undefined) {
    const bytes = await readAllChunks(chunksOf(zip, metadata, notes));
    tree['metadata'] = parseValue(bytes, metadata.name, notes);
  }
  const read = (sequence: string, wish: (path: Path) => Wish): Promise<unknown[]> =>
    readSequence(zip, { prefix: `${name}/${sequence}/`, wish, notes });
  const pool = await read('messages', (path) => (path.length === 0 ? 'into' : 'take'));
  const refs = listFrom(tree['message_refs']);
  tree['messages'] = refs.flatMap((ref) => poolRange(pool, ref));
  const ofSample = sampleWish();
  // The final conversation is known: what every request repeated is not read.
  if (listFrom(tree['messages']).length > 0) ofSample(['messages', 0]);
  tree['events'] = await read('events', (path) => ofSample(['events', ...path]));
  tree['events_data'] = { messages: pool };
  const attachments = await read('attachments', (path) => (path.length === 0 ? 'into' : 'take'));
  tree['attachments'] = Object.fromEntries(attachments.map((text, index) => [String(index), text]));
  return tree;
}

async function readSequence(
  zip: Zip,
  { prefix, wish, notes }: { prefix: string; wish: (path: Path) => Wish; notes: ImportNotes },
): Promise<unknown[]> {
  const pieces = [...zip.members.values()]
    .flatMap((member) => {
      const start = /^(\d+)\.json$/.exec(
        member.name.startsWith(prefix) ? member.name.slice(prefix.length) : '',
      )?.[1];
      return start === undefined ? [] : [{ member, start: Number(start) }];
    })
    .toSorted((a, b) => a.start - b.start);
  const items: unknown[] = [];
  for (const { member, start } of pieces) {
    if (start !== items.length)
      notes.note('missing_piece', `items before ${String(start)} are missing`, member.name);
    const { tree, problem } = await readParts(chunksOf(zip, member, notes), {
      wish: (path) => (path.length === 0 ? 'into' : wish(path)),
      notes,
      prefix: member.name,
    });
    if (problem !== null) throw new ImportStop(problem.code, `${member.name}: ${problem.message}`);
    for (const [place, item] of Object.entries(tree)) items[start + Number(place)] = item;
  }
  return items;
}

async function readAllChunks(chunks: Chunks): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > LIMITS.valueBytes)
      throw new ImportStop('limit_exceeded', `a value of more than ${sizeWords(LIMITS.valueBytes)}`);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
