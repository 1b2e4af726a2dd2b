// Verifier code is downloaded code. Each of these tries a way out; none may get anywhere.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sandboxParts } from '../../src/main/verifier/runtime.ts';
import { createSandbox, type VerifierReply } from '../../src/main/verifier/sandbox.ts';
import { sandboxHere } from '../support/sandbox.ts';

const parts = sandboxParts(sandboxHere);
const LIMITS = { ...parts.limits, timeMs: 6_000, memory: 192 * 1024 * 1024, output: 20_000 };
const sandbox = createSandbox({ ...parts, limits: LIMITS });
const folder = mkdtempSync(join(tmpdir(), 'interject-hostile-'));
const secret = join(folder, 'secret.txt');
writeFileSync(secret, 'the secret of this machine');
afterAll(() => {
  sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (body: string): Promise<VerifierReply> =>
  sandbox.run({
    code: `def verify_task():\n${body.replace(/^/gm, '    ')}\n`,
    initial: new Uint8Array(),
    final: new Uint8Array(),
    final_answer: null,
    at: null,
  });
const shown = (reply: VerifierReply): string => JSON.stringify(reply);

/** The real builtins and modules, without the harness's list: the lock must hold when the list is got round. */
const AROUND = `
modules = None
for cls in ().__class__.__base__.__subclasses__():
    init = getattr(cls, '__init__', None)
    scope = getattr(init, '__globals__', None)
    if scope and 'sys' in scope and hasattr(scope['sys'], 'modules'):
        modules = scope['sys'].modules
        break
real = modules['builtins']
`;

describe('a verifier that tries to get out', { timeout: 60_000 }, () => {
  it.each([
    'os',
    'subprocess',
    'socket',
    'ctypes',
    'js',
    'pyodide',
    'pyodide_js',
    'importlib',
    'sys',
    'gc',
    'urllib.request',
    'asyncio',
  ])('may not import %s', async (name) => {
    const reply = await run(`import ${name}\nreturn dir(${name.split('.')[0] ?? ''})`);
    if (name === 'os')
      expect(reply).toMatchObject({ ok: true, result: expect.not.arrayContaining(['system', 'environ']) });
    else
      expect(reply).toMatchObject({
        ok: false,
        failed: 'error',
        message: expect.stringContaining('may not import'),
      });
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

  it('finds nothing of the host over the bridge to JavaScript', async () => {
    const reply = await run(`${AROUND}
got = {}
def attempt(name, act):
    try:
        got[name] = str(act())[:200]
    except BaseException as error:
        got[name] = 'refused ' + type(error).__name__
imported = real.__import__
attempt('js', lambda: imported('js').process.version)
attempt('eval', lambda: imported('pyodide.code', fromlist=['run_js']).run_js('process.version'))
ffi = None
try:
    ffi = imported('pyodide.ffi', fromlist=['to_js'])
except BaseException as error:
    got['ffi'] = 'refused'
if ffi is not None:
    attempt('constructor', lambda: ffi.to_js([1]).constructor.constructor('return process')().version)
    attempt('import', lambda: ffi.to_js([1]).constructor.constructor('return import("node:fs")')())
    attempt('global', lambda: ffi.to_js([1]).constructor.constructor('return globalThis')())
return got`);
    expect(reply).toMatchObject({ ok: true });
    const { result } = reply as { result: Record<string, string> };
    for (const said of Object.values(result)) expect(said).toMatch(/^refused/);
  });

  it('is stopped at its time', async () => {
    const reply = await run('while True:\n    pass');
    expect(reply).toMatchObject({ ok: false, failed: 'timeout' });
    expect(reply.ms).toBeLessThan(20_000);
  });

  it('is stopped at its time even when it swallows every exception', async () => {
    const reply = await run(
      'while True:\n    try:\n        x = 10 ** 10 ** 8\n    except BaseException:\n        pass',
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
