import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readAddress } from '../../src/main/openenv/address.ts';
import { readAuthorities } from '../../src/main/openenv/authorities.ts';
import { openSession } from '../../src/main/openenv/openSession.ts';
import { describeServer } from '../../src/main/openenv/serverDescription.ts';
import { openWire } from '../../src/main/gateway/tap/child/wire.ts';
import { askUpstream } from '../../src/main/gateway/tap/child/upstream.ts';
import { headersOf, USUAL_CONNECTION, type ServerConnection } from '../../src/shared/serverConnection.ts';
import { openToolServer, type ToolServerOptions } from '../support/toolServer.ts';

const folder = join(import.meta.dirname, 'tls');
const authority = join(folder, 'authority.pem');
const tls = { cert: readFileSync(join(folder, 'cert.pem')), key: readFileSync(join(folder, 'key.pem')) };
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function serve(options: ToolServerOptions) {
  const server = await openToolServer(options);
  closers.push(server.close);
  return server;
}
const reached = (url: string, over: Partial<ServerConnection>) =>
  readAddress(url, { ...USUAL_CONNECTION, ...over });

async function firstTool(url: string, over: Partial<ServerConnection> = {}): Promise<string | undefined> {
  const session = await openSession(reached(url, over));
  closers.push(() => session.close());
  return (await session.listTools()).tools[0]?.name;
}

function written(text: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'interject-ca-'));
  closers.push(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'ca.pem');
  writeFileSync(file, text);
  return file;
}

describe('headers of an environment', () => {
  const headers = { 'X-Team': 'blue-team-77', 'X-Pass': 'zq7-pass-4410' };
  const letsIn: ToolServerOptions['letsIn'] = (sent) =>
    sent['x-team'] === headers['X-Team'] && sent['x-pass'] === headers['X-Pass'];

  it('are sent over its socket, over HTTP and over POST /mcp, and without them it lets nobody in', async () => {
    const server = await serve({ letsIn });
    const { url } = server;
    expect(await firstTool(url, { headers })).toBe('echo');
    expect(await firstTool(url, { headers, transport: 'mcp' })).toBe('echo');
    expect((await describeServer(reached(url, { headers }))).name).toBe('echo_env');
    await expect(firstTool(url)).rejects.toMatchObject({
      message: expect.stringContaining('HTTP 401') as string,
      next: expect.stringContaining('--env-header') as string,
    });
    expect(
      server.requests.every(({ method }) => method.startsWith('tools/') || method.startsWith('openenv/')),
    ).toBe(true);
  });

  it('are covered where the server repeats them', async () => {
    const { url } = await serve({
      answer: (_frame, socket) => {
        const data = { code: 'EXECUTION_ERROR', message: `no room for ${headers['X-Pass']} here` };
        socket.send(JSON.stringify({ type: 'error', data }));
      },
    });
    const session = await openSession(reached(url, { headers }));
    closers.push(() => session.close());
    await expect(session.reset({})).rejects.toThrow(/no room for \[redacted\] here/);
    expect(session.secrets).toContain(headers['X-Pass']);
  });

  it.each([
    ['X Team', 'a', /“X Team” is no name of a header/],
    ['Host', 'a', /the connection says the header Host itself/],
    ['X-Team', ' ', /the header X-Team has no value/],
    [
      'X-Team',
      'top\r\nX-Other: 1',
      /the value of the header X-Team holds a character that no header can carry/,
    ],
    ['X-Team', '“secret”', /the value of the header X-Team holds a character/],
  ])('named %o with the value %o are refused in words that do not tell the value', (name, value, says) => {
    expect(() => headersOf([{ name, value }])).toThrow(says);
    expect(() => headersOf([{ name, value }])).not.toThrow(/top|secret/);
  });

  it('may not come twice, nor name credentials that the address names too', () => {
    const twice = [
      { name: 'X-Team', value: 'a' },
      { name: 'x-team', value: 'b' },
    ];
    expect(() => headersOf(twice)).toThrow(/the header x-team is given twice/);
    const address = 'http://bearer:hf_abcdefghijklmnop1234@127.0.0.1:1';
    expect(() => reached(address, { headers: { Authorization: 'Token x' } })).toThrow(
      /has credentials, and a header Authorization is set too/,
    );
  });
});

describe('an authority that is named for an environment', () => {
  it('is trusted for its socket, its HTTP and its POST /mcp, and for no other environment', async () => {
    const { url } = await serve({ tls });
    expect(await firstTool(url, { ca_file: authority })).toBe('echo');
    expect(await firstTool(url, { ca_file: authority, transport: 'mcp' })).toBe('echo');
    expect((await describeServer(reached(url, { ca_file: authority }))).name).toBe('echo_env');
    await expect(firstTool(url)).rejects.toMatchObject({
      code: 'env_unreachable',
      next: expect.stringContaining('Setup → Environments') as string,
    });
    expect((await describeServer(reached(url, {}))).name).toBeNull();
    // Another authority's file helps nobody, and is said to be the wrong one.
    const other = join(import.meta.dirname, '../gateway/tls/cert.pem');
    await expect(firstTool(url, { ca_file: other })).rejects.toMatchObject({
      next: expect.stringContaining('did not sign it') as string,
    });
  });

  it('is trusted by the tap’s process too', async () => {
    const { url } = await serve({ tls });
    const ca = readAuthorities(authority);
    expect((await askUpstream({ url, ca }, 'GET', '/metadata', null)).status).toBe(200);
    await expect(askUpstream({ url }, 'GET', '/metadata', null)).rejects.toThrow(/certificate/);
    const opened = await openWire(`${url}/ws`, { timeoutMs: 5_000, max: 1000, ca });
    expect('wire' in opened).toBe(true);
    if ('wire' in opened) opened.wire.terminate();
  });

  it.each([
    [
      'nothing at its path',
      '/nowhere/ca.pem',
      /cannot read the authority’s certificate \/nowhere\/ca.pem: there is no such file/,
    ],
    ['no end, as a device has', '/dev/zero', /\/dev\/zero: it is no plain file/],
    ['far too much in it', () => written('x'.repeat(4 * 1024 * 1024 + 1)), /it has 4194305 bytes/],
    [
      'no certificate in it',
      () => written('hello\n'),
      /holds no certificate: none of its lines begins with -----BEGIN CERTIFICATE-----/,
    ],
    ['a key in it', () => join(folder, 'key.pem'), /holds no certificate: line 1 begins a private key/],
    [
      'a certificate that is torn',
      () => written(`# ours\n\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`),
      /the certificate that begins on line 3 cannot be read/,
    ],
  ])('and has %s is refused with what is wrong', (_what, file, says) => {
    expect(() => readAuthorities(typeof file === 'string' ? file : file())).toThrow(says);
  });
});
