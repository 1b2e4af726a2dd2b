import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actionServer } from '../support/actionServer.ts';
import { scenarioServer } from '../support/scenarioServer.ts';
import { typeIn } from '../support/commandLine.ts';
import { writeSettings } from '../support/dataFolder.ts';
import { PACK } from '../support/worlds.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

/** Types the commands, and gives their exit codes and the words for people, command by command. */
async function run(...commands: string[][]): Promise<{ codes: number[]; said: string }> {
  const { codes, out, err } = await typeIn(
    folder(),
    commands.map((args) => ({ args: ['run', ...args] })),
  );
  return { codes, said: `${out}${err}` };
}
const HERE = ['--world', PACK, '--task', '0'];

describe('interject run refuses, before anything starts', () => {
  it('flags that contradict each other', async () => {
    const { codes, said } = await run(
      [...HERE, '--agent', 'rehearsal', '--agent-model', 'example-model'],
      [...HERE, '--agent', 'human', '--condition', 'human'],
    );
    expect(codes).toEqual([2, 2]);
    expect(said).toMatch(/with --agent rehearsal no model is asked[\s\S]*Leave out --agent-model/);
    expect(said).toMatch(/a person who plays the episode asks nobody for advice/);
    expect(said).not.toContain('Every move waits for you');
  });

  it('a port there is not, and more repeats than there are', async () => {
    const { codes, said } = await run(
      [...HERE, '--condition', 'human', '--port', '99999'],
      [...HERE, '--agent', 'rehearsal', '--episodes', '500'],
    );
    expect(codes).toEqual([2, 2]);
    expect(said).toContain('a port from 0 to 65535 is needed');
    expect(said).toContain('a whole number from 1 to 64 is needed');
  });

  it('reset arguments and answers that cannot be read, in words', async () => {
    const ask = { ask: 1, do: 'dance' };
    writeFileSync(join(folder(), 'answers.jsonl'), JSON.stringify(ask));
    const { codes, said } = await run(
      [...HERE, '--reset', '[1]'],
      [...HERE, '--condition', 'human', '--answers', 'answers.jsonl'],
    );
    expect(codes).toEqual([2, 1]);
    expect(said).toContain('--reset is no JSON object');
    expect(said).toContain('line 1: "do" is none of accept, send and decline');
    expect(said).not.toMatch(/invalid_type|discriminator/i);
  });

  it('a world, a task, an environment or a profile that does not exist, and names those that do', async () => {
    const named = (id: string, name: string, port: number) => ({
      id,
      name,
      url: `http://127.0.0.1:${String(port)}`,
      builtin: false,
    });
    const environments = [named('a', 'maze', 9), named('b', 'maze', 10), named('c', 'chess', 11)];
    const profile = {
      name: 'local',
      provider: 'openai',
      base_url: 'http://127.0.0.1:9/v1',
      model: 'm',
      api_version: null,
    };
    await writeSettings(join(folder(), 'home'), { environments, profiles: [profile] });
    const { codes, said } = await run(
      ['--world', 'nope', '--task', '0'],
      ['--world', PACK, '--task', '999'],
      ['--env', 'notaurl'],
      ['--env', 'maze'],
      [...HERE, '--agent-profile', 'nope'],
    );
    expect(codes).toEqual([1, 2, 1, 2, 1]);
    expect(said).toMatch(/2 environments are called "maze"\s+Say which by its address: .*:9, .*:10/);
    expect(said).toMatch(/there is no model profile nope\s+There are: local/);
    expect(said).toMatch(new RegExp(`there is no built-in world nope\\s+There are: .*${PACK}`));
    expect(said).toMatch(new RegExp(`${PACK} has no task 999\\s+Its tasks are 0 to \\d+`));
    expect(said).toMatch(/there is no environment "notaurl"\s+Write an address like .*: .*chess/);
  });

  it('a task beyond those that the server lists', async () => {
    const server = await scenarioServer([
      { name: 'My Shop', description: '', tasks: ['Buy it.', 'Sell it.'] },
    ]);
    try {
      const { codes, said } = await run(['--env', server.url, '--scenario', 'my_shop', '--task', '1-99']);
      expect(codes).toEqual([2]);
      expect(said).toMatch(/my_shop has no task 2\s+Its tasks are 0 to 1/);
    } finally {
      await server.close();
    }
  });
});

describe('interject run says', () => {
  it('which flags have no effect, and goes on', async () => {
    const flags = ['--deadline', '5', '--fallback', 'draft', '--expert-model', 'x'];
    const { codes, said } = await run([...HERE, ...flags]);
    expect(codes).toEqual([0]);
    expect(said).toContain('With --condition none, --deadline, --fallback, --expert-model have no effect.');
  });

  it('the environment’s name for an episode without a scenario, and that a task’s number may mean nothing there', async () => {
    const server = await actionServer();
    const { said } = await run(['--env', server.url, '--task', '3']).finally(() => server.close());
    expect(said).toMatch(/\[1 of 1[^\]]*\] 127\.0\.0\.1:\d+ task 3:/);
    expect(said).toContain('lists no tasks: it gets 3 as task_idx, and may ignore it');
  });
});
