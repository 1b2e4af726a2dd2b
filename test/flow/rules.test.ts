import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Policy } from '../../src/main/agent/policy.ts';
import type { ApprovalRule } from '../../src/shared/events/stepIns.ts';
import { serveEnvironment } from '../support/flow.ts';
import { asking, ME, native, replies, startStepIn } from '../support/stepIn.ts';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(() => environment.close());

const start = (policy: Policy, over: Parameters<typeof startStepIn>[2] = {}) =>
  startStepIn(environment.url, policy, over);

describe('rules', () => {
  it('say which calls wait, and the log says why nobody was asked about the others', async () => {
    const rules: ApprovalRule[] = [
      { glob: 'find_*', argument: null, does: 'auto', count: null },
      { glob: 'rename_*', argument: '"id":2', does: 'ask', count: null },
    ];
    const { commands, held, about, ended } = start(
      replies(
        native('find_workflow'),
        native('rename_workflow', { id: 1 }),
        native('rename_workflow', { id: 2 }),
      ),
      asking(rules),
    );
    await held();
    await commands['call.decide']({ act: 'approve', ...about('t3'), similar: false }, ME);

    expect((await ended).turns.slice(0, 3).map(({ call }) => call?.waived ?? call?.held?.rule)).toEqual([
      'find_*: auto',
      'no rule fits',
      'rename_* with "id":2: ask',
    ]);
  });

  it('hold the first of a kind only, when that is what they say', async () => {
    const { commands, held, about, ended } = start(
      replies(native('find_workflow', { a: 1 }), native('find_workflow', { a: 2 })),
      asking([{ glob: '*', argument: null, does: 'first', count: 1 }]),
    );
    await held();
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: false }, ME);

    expect((await ended).turns[1]?.call).toMatchObject({ held: null, waived: '*: first 1' });
  });

  it('escalate: calls go through until enough of them failed or were changed, and wait from then on', async () => {
    const rules: ApprovalRule[] = [
      { glob: 'find_*', argument: null, does: 'escalate', count: 1 },
      { glob: 'rename_*', argument: null, does: 'escalate', count: 2 },
    ];
    const { commands, held, about, ended } = start(
      replies(
        native('find_workflow'),
        native('rename_workflow'),
        native('rename_workflow', { id: 1 }),
        native('rename_workflow'),
        native('rename_workflow', { id: 2 }),
        native('find_workflow'),
      ),
      asking(rules),
    );
    await held();
    await commands['call.decide']({ act: 'approve', ...about('t5'), similar: false }, ME);

    expect((await ended).turns.slice(0, 6).map(({ call }) => call?.waived ?? call?.held?.rule)).toEqual([
      'find_*: escalate after 1, 0 so far',
      'rename_*: escalate after 2, 0 so far',
      'rename_*: escalate after 2, 1 so far',
      'rename_*: escalate after 2, 1 so far',
      'rename_*: escalate after 2',
      'find_*: escalate after 1, 0 so far',
    ]);
  });

  it('escalate: a call that a person rejected or changed counts, one they approved does not', async () => {
    const find = { glob: 'find_workflow', argument: '"a":1', does: 'ask' as const, count: null };
    const { commands, until, about, ended } = start(
      replies(
        native('find_workflow', { a: 1, b: 1 }),
        native('find_workflow', { a: 1, b: 2 }),
        native('find_workflow', { a: 1, b: 3 }),
        native('find_workflow', { a: 2 }),
        native('find_workflow', { a: 3 }),
      ),
      asking([find, { glob: 'find_*', argument: null, does: 'escalate', count: 2 }]),
    );
    const waits = (call: string) =>
      until(({ turns }) => turns.at(-1)?.callId === call && turns.at(-1)?.call?.held);
    await waits('t1');
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: false }, ME);
    await waits('t2');
    await commands['call.decide']({ act: 'reject', ...about('t2'), reason: 'not this one' }, ME);
    await waits('t3');
    const edit = { tool_name: 'find_workflow', arguments: { id: 1 }, reason: null, is_unchecked: true };
    await commands['call.decide']({ act: 'edit', ...about('t3'), ...edit }, ME);
    expect((await waits('t4')).turns[3]?.call?.held?.rule).toBe('find_*: escalate after 2');
    await commands['call.decide']({ act: 'approve', ...about('t4'), similar: false }, ME);
    await waits('t5');
    await commands['call.decide']({ act: 'approve', ...about('t5'), similar: true }, ME);

    expect((await ended).ended?.outcome).toBe('done');
  });

  it('let similar calls through once a person said so', async () => {
    const { commands, held, about, ended } = start(
      replies(native('find_workflow'), native('find_workflow')),
      asking(),
    );
    await held();
    await commands['call.decide']({ act: 'approve', ...about('t1'), similar: true }, ME);

    expect((await ended).turns[1]?.call).toMatchObject({ held: null, waived: 'find_workflow: auto' });
  });
});
