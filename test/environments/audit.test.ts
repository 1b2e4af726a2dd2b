import { afterEach, describe, expect, it } from 'vitest';
import { auditEnvironment, type AuditCheck } from '../../src/main/environments/audit.ts';
import { askServers, openEnvServer } from '../../src/main/environments/openenv.ts';
import type { Timeouts } from '../../src/main/openenv/session.ts';
import { serverSpec } from '../../src/shared/environmentKinds.ts';
import { actionServer } from '../support/actionServer.ts';
import { strictToolServer } from '../support/strictToolServer.ts';
import { serveEnvironment } from '../support/flow.ts';
import { serveWorlds } from '../support/worlds.ts';

const never = new AbortController().signal;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type AuditOptions = {
  clearedMs?: number;
  signal?: AbortSignal;
  onBegin?: (check: string) => void;
  timeouts?: Partial<Timeouts>;
};

async function audit(
  url: string,
  { signal = never, onBegin, timeouts, clearedMs = 0 }: AuditOptions = {},
): Promise<Record<string, AuditCheck>> {
  const environment = openEnvServer(serverSpec('audited', 'audited', url), {
    workingAddress: (shown) => shown,
    ...askServers(),
    seed: () => Promise.resolve(null),
    taskSecrets: () => Promise.resolve({ secrets: null, missing: { message: '', next: null } }),
    ...(timeouts === undefined ? {} : { timeouts }),
  });
  const checks: AuditCheck[] = [];
  for await (const check of auditEnvironment(environment, signal, {
    ...(onBegin === undefined ? {} : { onBegin }),
    clearedMs,
  }))
    checks.push(check);
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}
const statuses = (checks: Record<string, AuditCheck>) =>
  Object.values(checks).map(({ name, status }) => `${name}: ${status}`);

describe('the audit of an environment', () => {
  it('finds an environment of actions playable, repeatable and its sessions apart', async () => {
    const server = await actionServer();
    closing.push(server.close);
    const checks = await audit(server.url);

    expect(statuses(checks)).toEqual([
      'connection: pass',
      'description: pass',
      'scenarios: pass',
      'reset: pass',
      'actions: pass',
      'reserved names: pass',
      'step: pass',
      'state: pass',
      'same seed: pass',
      'sessions at once: pass',
      'close: pass',
      'latency: pass',
      'endpoints: pass',
    ]);
    expect(checks['endpoints']?.evidence).toContain('all 6');
    expect(checks['latency']?.evidence).toMatch(/^6 resets: .* ms at most; 9 steps: /);
    expect(checks['step']?.evidence).toMatch(/^grid_world_action\({"action":"UP"}\) gave reward -0.25/);
    expect(checks['sessions at once']?.evidence).toContain('are not seen in the other');
  });

  it('says that sessions share state where a step in one is seen in the other', async () => {
    const server = await actionServer({ isShared: true });
    closing.push(server.close);
    expect((await audit(server.url))['sessions at once']).toMatchObject({
      status: 'warn',
      evidence: expect.stringContaining('may share state') as string,
    });
  });

  it('tries a world of tools on its first scenario, and calls none of its tools', async () => {
    const worlds = await serveWorlds();
    closing.push(worlds.close);
    const checks = await audit(worlds.url);

    expect(Object.values(checks).filter(({ status }) => status === 'fail')).toEqual([]);
    expect(checks['scenarios']?.evidence).toContain('is tried');
    expect(checks['actions']?.evidence).toMatch(/^\d+ tools: /);
    expect(checks['step']).toMatchObject({
      status: 'skip',
      evidence: expect.stringContaining('not tried') as string,
    });
    expect(checks['sessions at once']?.status).not.toBe('pass');
  });

  it('fails where nothing listens, with the cause and the next step, and goes no further', async () => {
    const checks = await audit('http://127.0.0.1:1');
    expect(statuses(checks)).toEqual(['connection: fail']);
    expect(checks['connection']?.evidence).toMatch(/nothing listens there.*\. Start the environment server/);
  });

  it('lists scenarios and tools of a server with room for one session whose action takes calls alone', async () => {
    const server = await strictToolServer();
    closing.push(server.close);
    const checks = await audit(server.url, { clearedMs: 10_000 });
    expect(Object.values(checks).filter(({ status }) => status === 'fail')).toEqual([]);
    expect(checks['scenarios']?.evidence).toContain('none to choose');
    expect(checks['actions']).toMatchObject({ status: 'pass', evidence: '1 tool: submit_answer' });
    expect(checks['sessions at once']?.evidence).toContain('one at a time');
  });

  it.each([
    ['raises an error at reset', 'reset', 'reset', /the board is missing/],
    ['does not answer a reset', 'never_resets', 'reset', /did not answer reset within/],
    ['rewards with NaN', 'reward', 'step', /not finite \(NaN or Infinity\).*correct the environment/],
    ['keeps sessions that were closed', 'close', 'close', /no other could begin: .*at capacity/],
  ] as const)('fails one that %s, and goes no further', async (_what, breaks, name, evidence) => {
    const server = await actionServer({ breaks });
    closing.push(server.close);
    const checks = await audit(server.url, { timeouts: { resetMs: 200 } });
    expect(Object.values(checks).at(-1)).toMatchObject({ name, status: 'fail' });
    expect(checks[name]?.evidence).toMatch(evidence);
  });

  it('says what the server says of a sub-environment that did not start: how it begins and how its log ends', async () => {
    const log = `Traceback (most recent call last):\n${'  File "server.py"\n'.repeat(200)}ModuleNotFoundError: No module named 'orders'`;
    const error = `Sub-environment start failed: Sub-env failed after 3 attempts. Output: ${log}`;
    const broken = await serveEnvironment({
      reset: () => ({ observation: { reward_type: 'reset_error', error }, reward: null }),
    });
    closing.push(broken.close);

    const { evidence = '', status } = (await audit(broken.url))['reset'] ?? {};

    expect(status).toBe('fail');
    expect(evidence).toContain('Sub-environment start failed: Sub-env failed after 3 attempts');
    expect(evidence).toMatch(/No module named 'orders'$/);
    expect(evidence.length).toBeLessThan(1100);
  });

  it('says what the server warned of at the reset where it then offers nothing to do', async () => {
    const warning = 'Sub-env started but no tools discovered. The connection was closed.';
    const idle = await serveEnvironment({
      reset: () => ({
        observation: { reward_type: 'reset_warning', task: 'Do it.', num_tools: 0, warning },
        reward: null,
      }),
      list_tools: () => ({ observation: { tools: [], error: null }, reward: null }),
    });
    closing.push(idle.close);

    expect((await audit(idle.url))['actions']).toMatchObject({
      status: 'fail',
      evidence: expect.stringContaining(warning) as string,
    });
  });

  it('warns where there is no state to ask for, since episodes run without it', async () => {
    const server = await actionServer({ breaks: 'state' });
    closing.push(server.close);
    expect((await audit(server.url))['state']).toMatchObject({
      status: 'warn',
      evidence: expect.stringContaining('no state') as string,
    });
  });

  it('warns of what `openenv validate` would fail, since episodes run without it', async () => {
    const server = await actionServer({ breaks: 'health' });
    closing.push(server.close);
    expect((await audit(server.url))['endpoints']).toMatchObject({
      status: 'warn',
      evidence: expect.stringContaining('status "healthy" at /health') as string,
    });
  });
});
