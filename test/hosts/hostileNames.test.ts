// Models, environments, files and flags give the real command line text that a terminal would obey.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { typeIn, type Command } from '../support/commandLine.ts';
import { HOSTILE, OBEYED } from '../support/hostileText.ts';
import { openGuardedEnvironment, openGuardedModel } from '../support/secretsEnvironment.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const FILE = `${HOSTILE}.jsonl`;
const folder = folderPerTest();
let environment: Awaited<ReturnType<typeof openGuardedEnvironment>>;
let model: Awaited<ReturnType<typeof openGuardedModel>>;
beforeEach(async () => {
  mkdirSync(join(folder(), 'home'));
  const row = { messages: [{ role: 'user', content: HOSTILE }], [`label_${HOSTILE}`]: 'good' };
  writeFileSync(join(folder(), FILE), `${JSON.stringify(row)}\n`);
  environment = await openGuardedEnvironment({ user: 'ada', password: 'b', key: 'c', says: HOSTILE });
  const calls = [{ id: 'c1', type: 'function', function: { name: HOSTILE, arguments: '{}' } }];
  model = await openGuardedModel(
    'Bearer key',
    [{ role: 'assistant', content: HOSTILE, tool_calls: calls }],
    HOSTILE,
  );
});
afterEach(() => {
  environment.close();
  model.close();
});

const run = (key: string): Command => ({
  args: ['run', '--env', environment.url, '--scenario', HOSTILE, '--task', '0', '--agent', 'chat'],
  variables: {
    INTERJECT_AGENT_BASE_URL: `http://${model.host}/v1`,
    INTERJECT_AGENT_API_KEY: key,
    INTERJECT_AGENT_MODEL: HOSTILE,
  },
});
const commands = (): Command[] => [
  run('key'),
  run('wrong'),
  { args: ['doctor', '--env', environment.url, '--bundle', `${HOSTILE}.json`] },
  { args: ['import', FILE] },
  { args: ['import', `no ${FILE}`] },
  { args: ['export', '--format', 'events', '--out', HOSTILE] },
  { args: ['export', '--format', HOSTILE, '--out', HOSTILE] },
  { args: ['run', '--world', HOSTILE, '--task', '0'] },
  { args: ['run', '--world', 'loomline_workflows', '--task', HOSTILE] },
  { args: ['erase', HOSTILE] },
  { args: ['serve', '--no-open', '--host', HOSTILE] },
  { args: [HOSTILE] },
];
const CODES = [1, 1, 0, 0, 1, 0, 2, 1, 2, 1, 2, 2];

describe('names and messages that a terminal would obey', () => {
  it('are escaped in all that the command line says to a person', async () => {
    const { codes, out, err } = await typeIn(folder(), commands());

    expect(codes).toEqual(CODES);
    expect(`${out}${err}`).not.toMatch(OBEYED);
    expect(err.split(String.raw`\x1b]0;owned\x07`).length).toBeGreaterThan(15);
  });

  it('are the same values in its JSON, of which no line holds a control', async () => {
    const all = commands().map((command) => ({ ...command, args: [...command.args, '--json'] }));
    const { codes, out, err } = await typeIn(folder(), all);

    expect(codes).toEqual(CODES);
    expect(`${out}${err}`).not.toMatch(OBEYED);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    expect(lines.find(({ type }) => type === 'episode')?.['scenario']).toBe(HOSTILE);
    expect(lines.find(({ type }) => type === 'bundle')?.['file']).toBe(join(folder(), `${HOSTILE}.json`));
    expect(lines.find(({ type }) => type === 'file')?.['path']).toBe(join(folder(), FILE));
    expect(
      lines
        .filter(({ type }) => type === 'error')
        .map(({ message }) => message)
        .join('\n'),
    ).toContain(HOSTILE);
    const description = lines.find(({ name }) => /^environment http:.*, description$/.test(name ?? ''));
    expect(description?.['evidence']).toContain(HOSTILE);
  });
});
