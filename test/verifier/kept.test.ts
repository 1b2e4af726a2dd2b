import { createHash, createHmac } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileCache as openFileCache, type FileCache } from '../../src/main/verifier/fileCache.ts';
import { sandboxParts } from '../../src/main/verifier/runtime.ts';
import { createSandbox } from '../../src/main/verifier/sandbox.ts';
import { sandboxHere } from '../support/sandbox.ts';

let folder = '';
let keys = '';
let told: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-kept-'));
  keys = mkdtempSync(join(tmpdir(), 'interject-keys-'));
  told = [];
});
afterEach(() => {
  for (const one of [folder, keys]) rmSync(one, { recursive: true, force: true });
});

const keyFile = (): string => join(keys, 'of this user', 'snapshot.key');
const fileCache = (file: string, key = keyFile()): FileCache =>
  openFileCache({ file, keyFile: key, tell: (why) => void told.push(why) });

/** Windows has no such modes. */
const KEY_OPEN_TO_OTHERS: [how: string, change: () => void, why: string][] =
  process.platform === 'win32'
    ? []
    : [
        [
          'could be read by others',
          () => chmodSync(keyFile(), 0o644),
          'the key of its checksum cannot be trusted: it is open to others',
        ],
      ];

/** More than is hashed in one piece. */
const BYTES = Buffer.alloc(2_500_000, 'Python ');

describe('what is kept between runs of the product', () => {
  it('comes back as it was, for its owner alone, in a folder that is made', async () => {
    const file = join(folder, 'new', 'a.snapshot');
    expect(await fileCache(file).read()).toBeNull();
    await fileCache(file).keep(Buffer.from('Python'));

    expect(Buffer.from((await fileCache(file).read()) ?? []).toString()).toBe('Python');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'new'))).toEqual(['a.snapshot']);
  });

  it('has a checksum that others can make with the key, which lies apart and is its owner’s alone', async () => {
    const file = join(folder, 'a.snapshot');
    await fileCache(file).keep(BYTES);

    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(statSync(join(keys, 'of this user')).mode & 0o777).toBe(0o700);
    const key = createHmac('sha256', readFileSync(keyFile())).update('a.snapshot').digest();
    expect(readFileSync(file)).toEqual(
      Buffer.concat([createHmac('sha256', key).update(BYTES).digest(), BYTES]),
    );
  });

  it.each<[why: string, change: (file: string) => void | Promise<void>]>([
    ['the first byte of its checksum is another', (file: string) => flipByte(file, 0)],
    ['the last byte of its checksum is another', (file: string) => flipByte(file, 31)],
    ['its first byte is another', (file: string) => flipByte(file, 32)],
    ['a byte in the midst of it is another', (file: string) => flipByte(file, 32 + 1_048_576)],
    ['its last byte is another', (file: string) => flipByte(file, BYTES.length + 31)],
    ['its last byte is missing', (file: string) => truncateSync(file, BYTES.length + 31)],
    ['not even its checksum is whole', (file: string) => truncateSync(file, 20)],
    ['nothing of it is left', (file: string) => truncateSync(file, 0)],
    ['a byte was added', (file: string) => appendFileSync(file, 'x')],
    ['it was replaced, with a checksum that needs no key', replaceWithPlainSum],
    ['it was replaced by one with the key of someone else', replaceWithOtherKey],
    ['it was kept under another name', replaceWithOtherName],
  ])('is not used once %s, and says so once', async (_why, change) => {
    const file = join(folder, 'a.snapshot');
    await fileCache(file).keep(BYTES);
    await change(file);

    const cache = fileCache(file);
    expect([await cache.read(), await cache.read()]).toEqual([null, null]);
    expect(told).toEqual(['was not used and is made anew: its checksum does not match']);

    await cache.keep(BYTES);
    expect(BYTES.equals((await cache.read()) ?? Buffer.alloc(0))).toBe(true);
  });

  it.each<[how: string, change: () => void, why: string]>([
    ['is missing', () => rmSync(keyFile()), 'the key of its checksum is missing'],
    ['is cut', () => truncateSync(keyFile(), 31), 'the key of its checksum is damaged'],
    ...KEY_OPEN_TO_OTHERS,
  ])('is not used while its key %s, and is kept with a new key', async (_how, change, why) => {
    const file = join(folder, 'a.snapshot');
    await fileCache(file).keep(BYTES);
    const before = readFileSync(keyFile());
    change();

    expect(await fileCache(file).read()).toBeNull();
    expect(told).toEqual([`was not used and is made anew: ${why}`]);

    await fileCache(file).keep(BYTES);
    expect((await fileCache(file).read())?.length).toBe(BYTES.length);
    expect(readFileSync(keyFile()).equals(before)).toBe(false);
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['there is none yet', () => undefined],
    [
      'the one that is there is damaged',
      () => {
        mkdirSync(join(keys, 'of this user'), { mode: 0o700 });
        writeFileSync(keyFile(), 'not 32 bytes', { mode: 0o600 });
      },
    ],
  ])('has one key, whoever of many that keep at once made it, where %s', async (_, prepare) => {
    prepare();
    const files = Array.from({ length: 12 }, (_none, i) => join(folder, `a.kind${String(i)}`));
    await Promise.all(files.map((file) => fileCache(file).keep(Buffer.from('Python'))));

    for (const file of files) expect((await fileCache(file).read())?.length).toBe(6);
    expect(told).toEqual([]);
    expect(readdirSync(join(keys, 'of this user'))).toEqual(['snapshot.key']);
  });

  it('is not kept where its key cannot be, and says why once', async () => {
    writeFileSync(join(keys, 'a file'), '');
    const cache = fileCache(join(folder, 'a.snapshot'), join(keys, 'a file', 'snapshot.key'));
    for (let i = 0; i < 2; i += 1) await cache.keep(BYTES);

    expect(await cache.read()).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
    expect(told).toEqual([expect.stringMatching(/^could not be kept: /)]);
  });

  it.skipIf(process.platform === 'win32').each([
    ['the file is open to others', (file: string) => chmodSync(file, 0o644)],
    ['the folder is open to others', () => chmodSync(folder, 0o777)],
    [
      'the file is a link',
      (file: string) => {
        renameSync(file, `${file}.moved`);
        symlinkSync(`${file}.moved`, file);
      },
    ],
  ])('is nothing once %s, and is kept anew', async (_why, change) => {
    const file = join(folder, 'a.snapshot');
    await fileCache(file).keep(Buffer.from('Python'));
    change(file);
    expect(await fileCache(file).read()).toBeNull();

    await fileCache(file).keep(Buffer.from('Python'));
    expect(Buffer.from((await fileCache(file).read()) ?? []).toString()).toBe('Python');
  });

  it.skipIf(process.getuid?.() !== 0)('is nothing where it belongs to someone else', async () => {
    const file = join(folder, 'a.snapshot');
    await fileCache(file).keep(Buffer.from('Python'));
    chownSync(file, 65534, 65534);

    expect(await fileCache(file).read()).toBeNull();
  });

  it('takes the place of what another version kept, and of nothing else', async () => {
    await fileCache(join(folder, 'old.snapshot')).keep(Buffer.from('1'));
    await fileCache(join(folder, 'other.file')).keep(Buffer.from('2'));
    await fileCache(join(folder, 'new.snapshot')).keep(Buffer.from('3'));

    expect(readdirSync(folder)).toEqual(['new.snapshot', 'other.file']);
  });

  it('is made anew where the disk does not take it', async () => {
    const file = join(folder, 'a.snapshot', 'b.snapshot');
    await fileCache(join(folder, 'a.snapshot')).keep(Buffer.from('a file'));
    await fileCache(file).keep(Buffer.from('Python'));

    expect(await fileCache(file).read()).toBeNull();
  });
});

function flipByte(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

function replaceWithPlainSum(file: string): void {
  const bytes = Buffer.from('another Python');
  writeFileSync(file, Buffer.concat([createHash('sha256').update(bytes).digest(), bytes]));
}

async function replaceWithOtherKey(file: string): Promise<void> {
  await fileCache(file, join(keys, 'of someone else', 'snapshot.key')).keep(Buffer.from('another Python'));
}

async function replaceWithOtherName(file: string): Promise<void> {
  const other = join(folder, 'older', 'b.snapshot');
  await fileCache(other).keep(BYTES);
  renameSync(other, file);
}

/** Python starts three times here, once from nothing: what takes seconds takes minutes while much else runs. */
const BUSY_MS = 600_000;

describe('a snapshot that Python cannot begin from', { timeout: BUSY_MS }, () => {
  it('is forgotten, and the verdict is given from a new one', async () => {
    const parts = sandboxParts(sandboxHere);
    const limits = { ...parts.limits, startMs: BUSY_MS, timeMs: BUSY_MS };
    const kept: (Uint8Array | 'forgotten')[] = [];
    const asked: FileCache = {
      // Not even forgetting it helps.
      read: () => Promise.resolve(Buffer.from('no snapshot of Python')),
      keep: (bytes) => Promise.resolve(void kept.push(bytes)),
      forget: () => Promise.resolve(void kept.push('forgotten')),
    };
    const sandbox = createSandbox({ ...parts, limits, kept: asked, spare: 0 });
    const reply = await sandbox.run({
      code: 'def verify_task():\n    return {"result": "complete"}\n',
      initial: new Uint8Array(),
      final: new Uint8Array(),
      final_answer: null,
      at: null,
    });
    sandbox.close();

    expect(kept).toEqual(['forgotten', expect.any(Uint8Array)]);
    expect(reply).toMatchObject({ ok: true, result: { result: 'complete' } });
  });
});
