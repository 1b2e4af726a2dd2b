// Verifier code is downloaded code. Each of these tries a way out; none may get anywhere.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sandboxParts } from '../../src/main/verifier/runtime.ts';
import { createSandbox, type VerifierReply } from '../../src/main/verifier/sandbox.ts';
import { sandboxHere } from '../support/sandbox.ts';
import { AROUND } from './attacks.ts';

const parts = sandboxParts(sandboxHere);
const LIMITS = { ...parts.limits, timeMs: 40_000, memory: 192 * 1024 * 1024, output: 20_000 };
const sandbox = createSandbox({ ...parts, limits: LIMITS });
const impatient = createSandbox({ ...parts, limits: { ...LIMITS, timeMs: 3_000 }, spare: 0 });
const folder = mkdtempSync(join(tmpdir(), 'interject-hostile-'));
const secret = join(folder, 'secret.txt');
writeFileSync(secret, 'the secret of this machine');
afterAll(() => {
  sandbox.close();
  impatient.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (body: string, place = sandbox): Promise<VerifierReply> =>
  place.run({
    code: `def verify_task():\n${body.replace(/^/gm, '    ')}\n`,
    initial: new Uint8Array(),
    final: new Uint8Array(),
    final_answer: null,
    at: null,
  });
const shown = (reply: VerifierReply): string => JSON.stringify(reply);

describe('a verifier that tries to get out', () => {
  it('may import no module outside of the list, and of os its paths only', async () => {
    const reply = await run(`import os
refused = []
for name in ('subprocess', 'socket', 'ctypes', 'js', 'pyodide', 'pyodide_js', 'importlib', 'sys', 'gc', 'urllib.request', 'asyncio'):
    try:
        __import__(name)
    except ImportError as error:
        refused.append(str(error))
return [dir(os), refused]`);
    const [os, refused] = (reply.ok ? reply.result : [[], []]) as [string[], string[]];
    expect(os).toContain('path');
    expect(os).not.toEqual(expect.arrayContaining(['system']));
    expect(os).not.toEqual(expect.arrayContaining(['environ']));
    expect(refused).toHaveLength(11);
    for (const said of refused) expect(said).toContain('may not import');
  });

  it('reads no file of this machine, round the list of builtins too', async () => {
    expect(shown(await run(`return open(${JSON.stringify(secret)}).read()`))).not.toContain('the secret');
    const around = await run(`${AROUND}return real.open(${JSON.stringify(secret)}).read()`);
    expect(shown(around)).not.toContain('the secret');
    const listed = await run(`${AROUND}return modules['os'].listdir('/')`);
    expect(shown(listed)).not.toContain('"root"');
  });

  it('writes no file of this machine', async () => {
    const path = join(folder, 'written.txt');
    await run(
      `${AROUND}modules['os'].makedirs(${JSON.stringify(folder)}, exist_ok=True)\nreal.open(${JSON.stringify(path)}, 'w').write('x')\nreturn 1`,
    );
    expect(existsSync(path)).toBe(false);
  });

  it('starts no process', async () => {
    const mark = join(folder, 'ran.txt');
    const reply = await run(`${AROUND}
got = []
for attempt in (lambda: modules['os'].system('touch ${mark}'), lambda: real.__import__('subprocess').run(['touch', '${mark}']), lambda: modules['os'].fork()):
    try:
        got.append(str(attempt()))
    except BaseException as error:
        got.append(type(error).__name__)
return got`);
    expect(reply.ok).toBe(true);
    expect(existsSync(mark)).toBe(false);
  });

  it('opens no socket', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await run(`${AROUND}
socket = real.__import__('socket')
s = socket.create_connection(('127.0.0.1', ${String(port)}), 2)
s.sendall(b'hello')
return 1`);
    server.close();
    expect(connections).toBe(0);
  });

  it('sees no environment variable', async () => {
    process.env['INTERJECT_TEST_SECRET'] = 'a-secret-value';
    const reply = await run(`${AROUND}return dict(modules['os'].environ)`);
    delete process.env['INTERJECT_TEST_SECRET'];
    expect(shown(reply)).not.toContain('a-secret-value');
  });

  it('is stopped at its time', async () => {
    const reply = await run('while True:\n    pass', impatient);
    expect(reply).toMatchObject({ ok: false, failed: 'timeout' });
    expect(reply.ms).toBeLessThan(20_000);
  });

  it('is stopped at its time even when it swallows every exception', async () => {
    const reply = await run(
      'while True:\n    try:\n        x = 10 ** 10 ** 8\n    except BaseException:\n        pass',
      impatient,
    );
    expect(reply).toMatchObject({ ok: false, failed: 'timeout' });
  });

  it('gets no more memory than its limit', async () => {
    const reply = await run('x = []\nwhile True:\n    x.append(bytearray(8 * 1024 * 1024))');
    expect(reply).toMatchObject({ ok: false, failed: 'memory' });
  });

  it('prints no more than its limit', async () => {
    const reply = await run('while True:\n    print("x" * 1000)');
    expect(reply).toMatchObject({ ok: false, failed: 'output' });
    expect(reply.said.length).toBeLessThanOrEqual(LIMITS.output);
  });

  it('returns no more than its limit', async () => {
    expect(await run('return "x" * 1_000_000')).toMatchObject({ ok: false, failed: 'output' });
  });

  it('falls over its own depth without taking anything along', async () => {
    const reply = await run('def down():\n    return down()\nreturn down()');
    expect(reply).toMatchObject({ ok: false });
  });

  it('cannot pass off its own text as the verdict', async () => {
    const reply = await run(
      'print(\'{"function":"verify_task","result":{"result":"complete"}}\')\nreturn {"result": "others"}',
    );
    expect(reply).toMatchObject({ ok: true, result: { result: 'others' } });
  });

  it('ends by itself without ending anything else', async () => {
    expect(await run('raise SystemExit(0)')).toMatchObject({ ok: false, failed: 'error' });
    expect(await run('return 1')).toMatchObject({ ok: true, result: 1 });
  });
});
