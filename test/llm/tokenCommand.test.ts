import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createOpenAi } from '../../src/main/llm/openai.ts';
import { createTokens, readToken } from '../../src/main/llm/tokenCommand.ts';
import { commandWords } from '../../src/shared/commandWords.ts';
import type { ModelConfig } from '../../src/shared/modelConfig.ts';
import { startOpenAiServer } from '../support/openaiServer.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

const never = new AbortController().signal;
const REQUEST = {
  messages: [{ role: 'user' as const, content: 'hi' }],
  tools: null,
  maxOutputTokens: null,
  temperature: null,
  seed: null,
};

/** A real program that prints what Azure's command prints, another token each time. */
function azureCommand(): string {
  const script = join(folder(), 'az.mjs');
  const count = join(folder(), 'count');
  writeFileSync(count, '0');
  writeFileSync(
    script,
    `import { readFileSync, writeFileSync } from 'node:fs';
     const n = Number(readFileSync(${JSON.stringify(count)}, 'utf8')) + 1;
     writeFileSync(${JSON.stringify(count)}, String(n));
     console.log(JSON.stringify({ accessToken: 'entra-token-' + n, expiresOn: 'local time', expires_on: 4102444800, tokenType: 'Bearer' }));`,
  );
  return `"${process.execPath}" ${script} account get-access-token --resource https://cognitiveservices.azure.com`;
}
const timesRun = (): number => Number(readFileSync(join(folder(), 'count'), 'utf8'));
const azure = (baseUrl: string): ModelConfig => ({
  provider: 'azure',
  baseUrl,
  apiKey: null,
  model: 'deployment',
  apiVersion: null,
  tokenCommand: azureCommand(),
});

describe('a command that prints an access token', () => {
  it('is run once for many requests, and Azure gets its token as a bearer and no key', async () => {
    const server = await startOpenAiServer([{ content: 'one' }, { content: 'two' }]);
    const tokens = createTokens({ clock: Date.now });
    const llm = createOpenAi(azure(server.origin), { tokens });

    await llm.complete(REQUEST, never);
    await llm.complete(REQUEST, never);

    expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer entra-token-1',
      'Bearer entra-token-1',
    ]);
    expect(server.requests[0]?.headers).not.toHaveProperty('api-key');
    expect(timesRun()).toBe(1);
    await server.close();
  });

  it('is run again when the server refuses its token, once, and the failure holds no token', async () => {
    const refused = { status: 401, body: { error: { message: 'expired: entra-token-2' } } };
    const server = await startOpenAiServer([refused, { content: 'ok' }, refused, refused]);
    const llm = createOpenAi(azure(server.origin), { tokens: createTokens({ clock: Date.now }) });

    expect((await llm.complete(REQUEST, never)).content).toBe('ok');
    const failed = await llm.complete(REQUEST, never).catch((thrown: unknown) => thrown as Error);

    expect(failed).toMatchObject({ code: 'model_unauthorized' });
    expect(String((failed as Error).message)).not.toContain('entra-token-3');
    expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual(
      [1, 2, 2, 3].map((n) => `Bearer entra-token-${String(n)}`),
    );
    await server.close();
  });

  it('is run again shortly before its token ends', async () => {
    let now = 4102444800_000 - 3 * 60_000;
    const config = azure('http://nowhere');
    const tokens = createTokens({ clock: () => now });

    expect((await tokens.withToken(config)).apiKey).toBe('entra-token-1');
    now += 2 * 60_000;
    expect((await tokens.withToken(config)).apiKey).toBe('entra-token-2');
  });

  it('that fails says why, and what to do', async () => {
    const command = `"${process.execPath}" -e "console.error('ERROR: Please run az login'); process.exit(1)"`;
    const tokens = createTokens({ clock: Date.now });

    await expect(
      tokens.withToken({ ...azure('http://nowhere'), tokenCommand: command }),
    ).rejects.toMatchObject({
      code: 'model_unauthorized',
      message: expect.stringContaining('Please run az login') as string,
      next: expect.stringContaining('az login') as string,
    });
  });

  it('gets none of the keys among this process’s variables, and where its login lies', async () => {
    const login = { AZURE_CONFIG_DIR: '/login/azure', GOOGLE_APPLICATION_CREDENTIALS: '/login/google.json' };
    const keys = { OPENAI_API_KEY: 'sk-1', HF_TOKEN: 'hf-1', AWS_SECRET_ACCESS_KEY: 'aws-1' };
    for (const [name, value] of Object.entries({ ...login, ...keys })) vi.stubEnv(name, value);
    const script = join(folder(), 'env.mjs');
    const seen = join(folder(), 'seen.json');
    writeFileSync(
      script,
      `import { writeFileSync } from 'node:fs';
       writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env));
       console.log('a-token');`,
    );
    const tokens = createTokens({ clock: Date.now });

    await tokens.withToken({ ...azure('http://nowhere'), tokenCommand: `"${process.execPath}" ${script}` });
    vi.unstubAllEnvs();

    const got = JSON.parse(readFileSync(seen, 'utf8')) as Record<string, string>;
    expect(got).toMatchObject(login);
    expect(got['PATH']).toBe(process.env['PATH']);
    for (const name of Object.keys(keys)) expect(got).not.toHaveProperty(name);
  });

  it('is split into words as it stands: no shell reads it', () => {
    expect(commandWords(`az --query "a b" --x='c d' $(rm -rf /) ; echo \`id\``)).toEqual([
      'az',
      '--query',
      'a b',
      '--x=c d',
      '$(rm',
      '-rf',
      '/)',
      ';',
      'echo',
      '`id`',
    ]);
  });
});

describe('a token that a command hands over', () => {
  const config: ModelConfig = {
    provider: 'openai',
    baseUrl: 'http://nowhere',
    apiKey: null,
    model: 'm',
    apiVersion: null,
    tokenFrom: 'one',
  };

  it('is used until shortly before its end or until it is refused; then another is asked for, once for all who wait', async () => {
    let now = 0;
    let wanted = 0;
    const tokens = createTokens({ clock: () => now });
    const handOn = (n: number): void =>
      void tokens.hand('one', { value: `t-${String(n)}`, expiresAt: now + 600_000 }).then(() => {
        wanted += 1;
        handOn(n + 1);
      });
    const token = async (): Promise<string | null> => (await tokens.withToken(config)).apiKey;

    const early = token();
    handOn(1);
    expect(await early).toBe('t-1');
    expect(await token()).toBe('t-1');
    now += 500_000;
    expect(await Promise.all([token(), token()])).toEqual(['t-2', 't-2']);
    tokens.forget(config);
    expect(await token()).toBe('t-3');
    expect(wanted).toBe(2);
  });

  it('comes no more once its command has ended: whoever waits and whoever asks is told the next step', async () => {
    const tokens = createTokens({ clock: Date.now });
    const waiting = tokens.withToken(config).catch((thrown: unknown) => thrown);
    await tokens.hand('one', null);
    const told = {
      code: 'model_unauthorized',
      next: 'See what its terminal says, and run it again.',
    };

    expect(await waiting).toMatchObject(told);
    await expect(tokens.withToken(config)).rejects.toMatchObject(told);
  });
});

describe('a printed token', () => {
  const now = 1_000_000;
  const jwt = `h.${Buffer.from(JSON.stringify({ exp: 5000 })).toString('base64url')}.s`;

  it.each([
    ['Azure’s JSON with the end in seconds', '{"accessToken":"t","expires_on":2000}', 't', 2_000_000],
    ['OAuth’s JSON with a lifetime', '{"access_token":"t","expires_in":60}', 't', 1_060_000],
    ['a bare JWT with a claim of its end', `${jwt}\n`, jwt, 5_000_000],
    ['a bare word, which is kept for five minutes', 'word', 'word', now + 7 * 60_000],
  ])('may be %s', (_name, out, value, expiresAt) => {
    expect(readToken(out, now)).toEqual({ value, expiresAt });
  });

  it.each(['', '{}', 'Please sign in first.', '{"error":"x"}'])('is not read from %j', (out) => {
    expect(readToken(out, now)).toBeNull();
  });
});
