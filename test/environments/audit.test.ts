import { afterEach, describe, expect, it } from 'vitest';
import { auditEnvironment, type AuditCheck } from '../../src/main/environments/audit.ts';
import { askServers, openEnvServer } from '../../src/main/environments/openenv.ts';
import { serverSpec } from '../../src/shared/environmentKinds.ts';
import { actionServer } from '../support/actionServer.ts';
import { serveWorlds } from '../support/worlds.ts';

const never = new AbortController().signal;
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function audit(url: string): Promise<Record<string, AuditCheck>> {
  const environment = openEnvServer(serverSpec('audited', 'audited', url), {
    workingAddress: (shown) => shown,
    ...askServers(),
    verdict: () => Promise.resolve(null),
    seed: () => Promise.resolve(null),
    taskSecrets: () => Promise.resolve({ secrets: null, missing: { message: '', next: null } }),
  });
  const checks: AuditCheck[] = [];
  for await (const check of auditEnvironment(environment, never)) checks.push(check);
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
      'step: pass',
      'same seed: pass',
      'sessions at once: pass',
    ]);
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
    expect(checks['step']?.evidence).toContain('not tried');
  });

  it('fails where nothing listens, with the cause and the next step, and goes no further', async () => {
    const checks = await audit('http://127.0.0.1:1');
    expect(statuses(checks)).toEqual(['connection: fail']);
    expect(checks['connection']?.evidence).toMatch(/nothing listens there.*Start the environment server/);
  });

  it('fails where the environment cannot reset, or offers nothing to do', async () => {
    const broken = await actionServer({ breaks: 'reset' });
    const idle = await actionServer({ breaks: 'actions' });
    closing.push(broken.close, idle.close);
    expect(Object.values(await audit(broken.url)).at(-1)).toMatchObject({
      name: 'reset',
      status: 'fail',
      evidence: expect.stringContaining('the board is missing') as string,
    });
    expect(Object.values(await audit(idle.url)).at(-1)).toMatchObject({ status: 'fail' });
  });
});
