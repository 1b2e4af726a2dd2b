import { expect, it } from 'vitest';
import type { CommandOutput } from '../../src/main/hosts/output.ts';
import { tellRetry } from '../../src/main/hosts/playRun.ts';
import { SYSTEM } from '../../src/shared/events/actor.ts';
import { runInProcess } from '../support/inProcess.ts';
import { createFlow } from '../support/flow.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

it('says that a model which cannot be reached is asked again, and when; not that it is given up', () => {
  const { log } = createFlow();
  const said: unknown[] = [];
  const output: CommandOutput = {
    isJson: true,
    gone: new AbortController().signal,
    line: (line) => said.push(line),
    say: (text) => said.push(text),
    status: null,
    fail: () => expect.fail(),
  };
  log.subscribe((recorded) => tellRetry(recorded, output));
  const message = 'the model at http://127.0.0.1:1/v1 cannot be reached';
  const failed = { kind: 'model.failed', turn: 1, code: 'model_unavailable', message } as const;
  log.append('an-episode', SYSTEM, { ...failed, retry_in_ms: 1240 });
  log.append('an-episode', SYSTEM, { ...failed, retry_in_ms: null });

  expect(said).toEqual([
    {
      type: 'retry',
      episode: 'an-episode',
      turn: 1,
      wait_ms: 1240,
      code: 'model_unavailable',
      message,
      next: null,
    },
    `  ${message}; asked again in 1.2 s`,
  ]);
});

it.each([
  {
    flags: ['--agent-model', 'gpt-x'],
    message: 'the agent’s model gpt-x has neither an address nor a key',
    next: 'Give its address with --agent-base-url URL or its key with --agent-key-env VARIABLE, or set them under Setup.',
  },
  {
    flags: ['--agent-base-url', 'http://127.0.0.1:1/v1'],
    message: 'the agent’s model at http://127.0.0.1:1/v1 has no name',
    next: 'Name it with --agent-model NAME, or set it under Setup; or choose --agent rehearsal.',
  },
  {
    flags: ['--agent', 'chat'],
    message: 'no model is set for the agent',
    next: 'Name it with --agent-model NAME and --agent-base-url URL, or set it under Setup; or choose --agent rehearsal.',
  },
])('`run $flags` names what its model lacks, and what to do', async ({ flags, message, next }) => {
  const run = ['run', '--world', 'loomline_workflows', '--task', '0', ...flags];
  const { code, lines } = await runInProcess(folder(), [...run, '--data', 'home', '--json']);

  expect(lines.at(-1)).toEqual({ type: 'error', code: 'model_not_configured', message, next });
  expect(code).toBe(1);
});
