import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileCache, type FileCache } from '../../src/main/verifier/fileCache.ts';
import { sandboxParts } from '../../src/main/verifier/runtime.ts';
import { createSandbox } from '../../src/main/verifier/sandbox.ts';
import { sandboxHere } from '../support/sandbox.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('what is kept between runs of the product', () => {
  it('comes back as it was, for its owner alone, in a folder that is made', async () => {
    const file = join(folder, 'new', 'a.snapshot');
    expect(await fileCache(file).read()).toBeNull();
    await fileCache(file).keep(Buffer.from('Python'));

    expect(Buffer.from((await fileCache(file).read()) ?? []).toString()).toBe('Python');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'new'))).toEqual(['a.snapshot']);
  });

  it('is nothing once a byte of it is missing', async () => {
    const file = join(folder, 'a.snapshot');
    await fileCache(file).keep(Buffer.from('Python'));
    truncateSync(file, 35);

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

describe('a snapshot that Python cannot begin from', { timeout: 60_000 }, () => {
  it('is forgotten, and the verdict is given from a new one', async () => {
    const parts = sandboxParts(sandboxHere);
    const kept: (Uint8Array | 'forgotten')[] = [];
    const asked: FileCache = {
      // Not even forgetting it helps.
      read: () => Promise.resolve(Buffer.from('no snapshot of Python')),
      keep: (bytes) => Promise.resolve(void kept.push(bytes)),
      forget: () => Promise.resolve(void kept.push('forgotten')),
    };
    const sandbox = createSandbox({ ...parts, kept: asked, spare: 0 });
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
