// Reads the members of a ZIP archive from disk: its directory first, then one member at a time as a stream. Nothing
// is unpacked to disk, so a hostile member name does no harm.
import { open, type FileHandle } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { createInflateRaw } from 'node:zlib';
import { Decompress } from 'fzstd';
import { errorMessage } from '../../../shared/failure.ts';
import type { Chunks } from './bytes.ts';
import { LIMITS, sizeWords, ImportStop } from './limits.ts';
import type { ImportNotes } from './importNotes.ts';

export type ZipMember = { name: string; method: number; packed: number; unpacked: number; offset: number };
export type Zip = {
  members: ReadonlyMap<string, ZipMember>;
  /** A member's bytes. Throws `ImportStop` when it is broken, or grows beyond its limits. */
  chunks(member: ZipMember): Chunks;
};

const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const METHODS = { stored: 0, deflated: 8, zstandard: 93 } as const;
const IN_EXTRA = 0xffffffff;

/**
 * Reads the directory of an archive. Throws `ImportStop` when there is none to read.
 * Where the archive lies is asked each time: a file that is kept moves.
 */
export async function openZip(pathOf: () => string, notes: ImportNotes, signal: AbortSignal): Promise<Zip> {
  const file = await open(pathOf(), 'r');
  try {
    const { size } = await file.stat();
    const end = await findEnd(file, size);
    const directory = await readAt(file, end.offset, end.size);
    const members = zipMembers(directory, end.count, notes);
    return { members, chunks: (member) => memberChunks(pathOf(), size, member, signal) };
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

type DirectoryEnd = { offset: number; size: number; count: number };

async function findEnd(file: FileHandle, size: number): Promise<DirectoryEnd> {
  const tailLength = Math.min(size, 65_557);
  const tail = await readAt(file, size - tailLength, tailLength);
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (at === -1 || at + 22 > tail.length) {
    throw new ImportStop('truncated', 'the archive has no directory: it is cut off, or still being written');
  }
  let end: DirectoryEnd = {
    count: tail.readUInt16LE(at + 10),
    size: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
  if (at >= 20 && tail.readUInt32LE(at - 20) === LOCATOR_64) {
    const record = await readAt(file, Number(tail.readBigUInt64LE(at - 12)), 56);
    if (record.length < 56 || record.readUInt32LE(0) !== END_64)
      throw brokenArchive('its directory cannot be found');
    end = {
      count: Number(record.readBigUInt64LE(32)),
      size: Number(record.readBigUInt64LE(40)),
      offset: Number(record.readBigUInt64LE(48)),
    };
  }
  if (end.offset + end.size > size) throw brokenArchive('its directory lies outside of it');
  if (end.count > LIMITS.members)
    throw archiveTooLarge(`${String(end.count)} members; the limit is ${String(LIMITS.members)}`);
  if (end.size > LIMITS.directoryBytes)
    throw archiveTooLarge(`a directory of more than ${sizeWords(LIMITS.directoryBytes)}`);
  return end;
}

function zipMembers(directory: Buffer, count: number, notes: ImportNotes): Map<string, ZipMember> {
  const members = new Map<string, ZipMember>();
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== ENTRY) {
      notes.note('broken_directory', 'the archive’s directory breaks off', null);
      break;
    }
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    const member = {
      name,
      method: directory.readUInt16LE(at + 10),
      ...wideSizes(extra, {
        unpacked: directory.readUInt32LE(at + 24),
        packed: directory.readUInt32LE(at + 20),
        offset: directory.readUInt32LE(at + 42),
      }),
    };
    const isLocked = (directory.readUInt16LE(at + 8) & 1) === 1;
    if (isLocked) notes.skip('encrypted', 'an encrypted member', name.slice(0, 200));
    else if (isOutside(name))
      notes.skip('path_outside', 'a member whose name leads out of the archive', name.slice(0, 200));
    else {
      if (members.has(name))
        notes.note('duplicate_member', 'a name twice; the last one counts', name.slice(0, 200));
      members.set(name, member);
    }
    at += 46 + nameLength + extraLength + directory.readUInt16LE(at + 32);
  }
  return members;
}

const isOutside = (name: string): boolean =>
  name.startsWith('/') ||
  name.includes('\\') ||
  name.includes('\0') ||
  /^[a-z]:/i.test(name) ||
  name.split('/').includes('..');

type Sizes = Pick<ZipMember, 'unpacked' | 'packed' | 'offset'>;

/** Sizes of more than 4 GiB stand in an extra field, in the order of those that are missing. */
function wideSizes(extra: Buffer, sizes: Sizes): Sizes {
  const wide = { ...sizes };
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let field = at + 4;
    const end = Math.min(extra.length, field + extra.readUInt16LE(at + 2));
    for (const key of ['unpacked', 'packed', 'offset'] as const) {
      if (wide[key] !== IN_EXTRA || field + 8 > end) continue;
      wide[key] = Number(extra.readBigUInt64LE(field));
      field += 8;
    }
  }
  return wide;
}

async function* memberChunks(
  path: string,
  size: number,
  member: ZipMember,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { name, method, packed, offset } = member;
  const file = await open(path, 'r');
  const local = await readAt(file, offset, 30).finally(() => file.close());
  if (local.length < 30 || local.readUInt32LE(0) !== LOCAL_HEADER)
    throw brokenArchive(`the member ${name} is not where it should be`);
  const start = offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  if (start + packed > size) throw brokenArchive(`the member ${name} is cut off`);
  if (packed === 0) return;
  const raw = createReadStream(path, {
    start,
    end: start + packed - 1,
    highWaterMark: 128 * 1024,
    signal,
  }) as Chunks;
  const allowed = Math.min(LIMITS.memberBytes, packed * LIMITS.ratio + 1024 * 1024);
  let given = 0;
  try {
    for await (const chunk of unpacked(raw, method, name)) {
      given += chunk.length;
      if (given > allowed) {
        throw archiveTooLarge(
          `the member ${name} unpacks to more than ${sizeWords(allowed)} from ${sizeWords(packed)}`,
        );
      }
      yield chunk;
    }
  } catch (thrown) {
    if (thrown instanceof ImportStop || signal.aborted) throw thrown;
    throw brokenArchive(`the member ${name} cannot be unpacked: ${errorMessage(thrown)}`);
  }
}

function unpacked(raw: Chunks, method: number, name: string): Chunks {
  if (method === METHODS.stored) return raw;
  if (method === METHODS.zstandard) return zstandard(raw);
  if (method === METHODS.deflated) return deflated(raw);
  throw brokenArchive(
    `the member ${name} is packed in a way that is not read here (method ${String(method)})`,
  );
}

/** A piece at a time, so that a bomb is seen before it has grown. */
async function* deflated(raw: Chunks): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: 256 * 1024 });
  const feeding = (async () => {
    for await (const chunk of raw) {
      if (inflate.destroyed) return;
      if (!inflate.write(chunk)) await new Promise((go) => inflate.once('drain', go).once('close', go));
    }
    inflate.end();
  })().catch((thrown: unknown) => {
    inflate.destroy(thrown instanceof Error ? thrown : new Error(String(thrown)));
  });
  try {
    yield* inflate as Chunks;
  } finally {
    inflate.destroy();
    await feeding;
  }
}

/** Frames one after the other, as writers that append leave them. */
async function* zstandard(raw: Chunks): AsyncGenerator<Buffer> {
  let ready: Buffer[] = [];
  const unpack = new Decompress((chunk) => {
    // The window is reused: what is kept must be a copy.
    if (chunk.length > 0) ready.push(Buffer.from(chunk));
  });
  for await (const chunk of raw) {
    // Small pieces, so that little is unpacked before it is counted.
    for (let at = 0; at < chunk.length; at += 16 * 1024) {
      unpack.push(chunk.subarray(at, at + 16 * 1024));
      const now = ready;
      ready = [];
      yield* now;
    }
  }
  unpack.push(new Uint8Array(0), true);
  yield* ready;
}

const brokenArchive = (message: string): ImportStop => new ImportStop('broken_archive', message);
const archiveTooLarge = (message: string): ImportStop => new ImportStop('limit_exceeded', message);
