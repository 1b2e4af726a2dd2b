import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sandboxCheck } from '../../src/main/hosts/sandboxCheck.ts';
import { sandboxParts, type LazySandbox } from '../../src/main/verifier/runtime.ts';
import type { Sandbox } from '../../src/main/verifier/sandbox.ts';
import { sandboxHere } from '../support/sandbox.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-check-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The sandbox as it is opened, but for Python: it keeps what it would begin from, and gives the verdict itself. */
function withoutPython(tell: (notice: string) => void): LazySandbox {
  const place = { folder, keyFile: join(folder, 'keys', 'snapshot.key'), tell };
  const { kept } = sandboxParts({ ...sandboxHere, cache: place });
  const run: Sandbox['run'] = async () => {
    if ((await kept?.read()) === null) await kept?.keep(Buffer.from('Python'));
    const marks = { said: '', readClock: false, ms: 1, printed: false };
    return { ok: true, function: 'verify_nothing', result: 1, verdict: null, ...marks };
  };
  return { get: () => ({ run, close: () => undefined }), close: () => undefined };
}

it('warns where the kept snapshot of Python was changed by someone, and passes once it is made anew', async () => {
  const works = 'Python verifiers run, locked up';
  expect(await sandboxCheck(withoutPython)).toEqual({ status: 'pass', evidence: works });
  writeFileSync(join(folder, 'keys', 'snapshot.key'), Buffer.alloc(32));

  const why =
    'the snapshot of the verifiers’ Python was not used and is made anew: its checksum does not match';
  expect(await sandboxCheck(withoutPython)).toEqual({
    status: 'warn',
    evidence: `${works}; ${why}`,
  });
  expect(await sandboxCheck(withoutPython)).toEqual({ status: 'pass', evidence: works });
});
