// The real server is asked the same over its socket and over `POST /mcp`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAddress } from '../../src/main/openenv/address.ts';
import { openSession } from '../../src/main/openenv/openSession.ts';
import { errorText, resultText, type OpenEnvSession } from '../../src/main/openenv/session.ts';
import { USUAL_CONNECTION } from '../../src/shared/serverConnection.ts';
import { python, RELEASES, type Program } from './support.ts';

describe.each(RELEASES)('tools of the real server of %s', (release) => {
  let server: Program;
  let url = '';
  beforeAll(async () => {
    server = python(release, 'environment.py', ['64']);
    url = `http://127.0.0.1:${await server.firstLine}`;
  });
  afterAll(() => server.end());

  const open = (transport: 'socket' | 'mcp'): Promise<OpenEnvSession> =>
    openSession(readAddress(url, { ...USUAL_CONNECTION, transport }));

  it('are listed and answer alike over the socket and over POST /mcp', async () => {
    const answers = async (session: OpenEnvSession) => {
      const texts: (string | null)[] = [];
      // What an environment needs a reset for is not asked: there is none over POST /mcp.
      for (const [name, args] of [
        ['count_items', { name: 'pear' }],
        ['put_items', { name: 'pear', amount: 2 }],
        ['long_text', { length: 12 }],
      ] as const)
        texts.push(resultText((await session.callTool(name, args)).observation));
      const refused = await session.callTool('take_items', { name: 'plum', amount: 9 });
      const { tools } = await session.listTools();
      session.close();
      return {
        tools: tools.map(({ name, description, input_schema }) => ({ name, description, input_schema })),
        texts,
        says: errorText(refused.observation)?.includes('only 0 of plum left'),
      };
    };
    const overMcp = await answers(await open('mcp'));
    expect(overMcp).toEqual(await answers(await open('socket')));
    expect(overMcp.texts[1]).toContain('pear');
  });

  it('keep what was done in a session, until the next reset begins another', async () => {
    const session = await open('mcp');
    const figs = async (): Promise<string | null> =>
      resultText((await session.callTool('count_items', { name: 'fig' })).observation);
    await session.reset({});
    await session.callTool('put_items', { name: 'fig', amount: 2 });
    const before = await figs();
    await session.reset({});
    const after = await figs();
    session.close();
    expect([before, after]).toEqual(['2', '0']);
  });
});
