import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorText, resultLabel, resultText, type OpenEnvSession } from '../../src/main/openenv/session.ts';
import { openSession } from '../../src/main/openenv/openSession.ts';
import { SERVER_FRAME_MAX } from '../../src/shared/wire.ts';
import { python, RELEASES, type Program } from './support.ts';

describe.each(RELEASES)('our client against the real server of %s', (release) => {
  let server: Program;
  let url = '';
  beforeAll(async () => {
    server = python(release, 'environment.py', ['64']);
    url = `http://127.0.0.1:${await server.firstLine}`;
  });
  afterAll(() => server.end());

  const open = async (): Promise<OpenEnvSession> => {
    const session = await openSession(url);
    await session.reset({ seed: 7 });
    return session;
  };

  it('resets, and reads the state before and after', async () => {
    const session = await openSession(url);

    const before = await session.state();
    const reset = await session.reset({ seed: 7, episode_id: 'ep-1', unknown_to_the_server: true });
    const after = await session.state();
    session.close();

    expect(before).toEqual({ episodeId: null, stepCount: 0 });
    expect({ reward: reset.reward, done: reset.done }).toEqual({ reward: null, done: false });
    expect(after).toEqual({ episodeId: 'ep-1', stepCount: 0 });
  });

  it('lists the tools with their schemas, before any reset too', async () => {
    const session = await openSession(url);

    const { tools } = await session.listTools();
    session.close();

    expect(tools.map(({ name }) => name)).toEqual(['count_items', 'put_items', 'take_items', 'long_text']);
    expect(tools[1]).toMatchObject({
      description: 'Put items on the shelf and read the whole shelf back.',
      input_schema: { required: ['name', 'amount'], properties: { amount: { type: 'integer' } } },
    });
  });

  it('calls a tool and reads what the agent is to read', async () => {
    const session = await open();

    const counted = await session.callTool('count_items', { name: 'apple' });
    const put = await session.callTool('put_items', { name: 'pear', amount: 2 });
    session.close();

    expect(resultText(counted.observation)).toBe('3');
    expect(errorText(counted.observation)).toBeNull();
    expect(JSON.parse(resultText(put.observation) ?? '')).toEqual({ apple: 3, pear: 2 });
  });

  it('keeps reward and done as the environment gave them, and goes on after done', async () => {
    const session = await open();

    const taken = await session.callTool('take_items', { name: 'apple', amount: 3 });
    const after = await session.callTool('count_items', { name: 'apple' });
    session.close();

    expect({ reward: taken.reward, done: taken.done }).toEqual({ reward: 1, done: true });
    expect({ reward: after.reward, done: after.done }).toEqual({ reward: null, done: false });
  });

  it('tells a refusing tool, a missing tool and wrong arguments apart, all as data', async () => {
    const session = await open();

    const refused = await session.callTool('take_items', { name: 'pear', amount: 9 });
    const missing = await session.callTool('nope', {});
    const wrong = await session.callTool('count_items', {});
    session.close();

    expect([refused, missing, wrong].map(({ observation }) => resultLabel(observation))).toEqual([
      'execution_error',
      'tool_not_found',
      'invalid_args',
    ]);
    expect(errorText(refused.observation)).toContain('only 0 of pear left');
    expect(errorText(wrong.observation)).toContain('Missing required argument');
  });

  it('throws what the server calls an error, and the session stays usable', async () => {
    const session = await open();

    const broken = session.reset({ scenario: 'broken' });
    await expect(broken).rejects.toMatchObject({
      code: 'env_error',
      message: expect.stringContaining('EXECUTION_ERROR: the shelf is broken') as string,
    });
    const after = await session.callTool('count_items', { name: 'apple' });
    session.close();

    expect(resultText(after.observation)).toBe('3');
  });

  it('says that the server has no free session, and gets one once another is closed', async () => {
    const own = python(release, 'environment.py', ['1']);
    const address = `http://127.0.0.1:${await own.firstLine}`;
    const begin = async (): Promise<OpenEnvSession> => {
      const session = await openSession(address);
      await session.reset({});
      return session;
    };
    const first = await begin();

    await expect(begin()).rejects.toMatchObject({ code: 'env_capacity' });
    first.close();

    await expect
      .poll(() => begin().then((session) => session.state(), String), { timeout: 5_000 })
      .toEqual({ episodeId: 'shelf-1', stepCount: 0 });
    await own.end();
  });

  it('reads a result of 2 million letters whole, and one above the limit as an error with both sizes, after which it goes on', async () => {
    const session = await open();
    const long = await session.callTool('long_text', { length: 2_000_000 });
    session.close();
    expect(resultText(long.observation)).toHaveLength(2_000_000);

    const other = await open();
    const tooLong = await other.callTool('long_text', { length: 30_000_000 });
    expect(JSON.stringify(tooLong.observation)).toContain('more than the 8 MiB that an answer may have');
    expect(resultText((await other.callTool('long_text', { length: 3 })).observation)).toHaveLength(3);
    other.close();
  });

  it('ends with a named failure when it sends more than the server takes', async () => {
    const session = await open();

    const tooLong = session.callTool('count_items', { name: 'x'.repeat(SERVER_FRAME_MAX) });

    await expect(tooLong).rejects.toMatchObject({
      code: expect.stringMatching(/^env_closed|frame_too_large$/) as string,
    });
  });

  it('has nothing to wait for when the server is ended in the middle', async () => {
    const own = python(release, 'environment.py', ['1']);
    const session = await openSession(`http://127.0.0.1:${await own.firstLine}`);
    await session.reset({});
    const closed = new Promise((settle) => session.onClosed((failure) => settle(failure.code)));

    await own.end();

    expect(await closed).toBe('env_closed');
    await expect(session.state()).rejects.toMatchObject({ code: 'env_closed' });
  });
});
