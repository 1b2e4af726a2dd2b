import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { feedbackOn } from '../../src/main/desk/practice.ts';
import { readPractice } from '../../src/main/settings/practice.ts';
import { formatPlan } from '../../src/shared/plan.ts';
import { openProduct, removeFolder, type Product } from '../support/product.ts';
import { worldTask } from '../support/worlds.ts';

const resources = join(import.meta.dirname, '..', '..', 'resources');
const round = readPractice(join(resources, 'practice'));
type Task = { task: string; reference: { tool: string; args: Record<string, unknown> }[]; draft?: object };
const tasks = JSON.parse(
  readFileSync(join(resources, 'worlds', 'loomline_workflows', 'tasks.json'), 'utf8'),
) as Task[];
const ambiguous = round.find(({ id }) => id.startsWith('2-')) ?? round[0];
const one = (text: string) => {
  if (ambiguous === undefined) throw new Error('there is no practice round');
  return feedbackOn(ambiguous, text);
};

describe('the practice round', () => {
  it('is five asks of the built-in world, as they are there', () => {
    expect(round).toHaveLength(5);
    for (const { task, task_idx } of round) expect(task).toBe(tasks[task_idx]?.task);
  });

  it.each(round.map((item) => [item.title, item] as const))(
    'finds the reference plan good, and the draft only where it is right: %s',
    (_title, item) => {
      const task = tasks[item.task_idx];
      const calls = (task?.reference ?? []).map((call) => ({ ...call, purpose: null }));
      const plan = formatPlan({ calls, success_state: null, tips: null });

      expect(feedbackOn(item, plan)).toMatchObject({ is_good: true });
      expect(feedbackOn(item, item.draft).is_good).toBe(task?.draft === undefined);
    },
  );

  it('says which record was wrong', () => {
    const { is_good: isGood, points } = one('set_workflow_status({"workflow_id": 102, "status": "paused"})');

    expect(isGood).toBe(false);
    expect(points.map(({ text }) => text)).toContain(
      'Workflow 102 has the same name, but it is the finance team’s.',
    );
  });

  it('says that a tool does not exist', () => {
    expect(one('pause_workflow({"workflow_id": 103})').points).toContainEqual({
      is_ok: false,
      text: 'No tool is called pause_workflow; the agent would be refused.',
    });
  });

  it('takes plain words that name the right record, and says what would be surer', () => {
    const { is_good: isGood, points } = one('Pause the one of the purchasing team, that is workflow 103.');

    expect(isGood).toBe(true);
    expect(points[0]?.text).toMatch(/plain words/);
    expect(one('Pause the right one.').is_good).toBe(false);
  });
});

describe('a seat that practises', () => {
  let product: Product;
  beforeEach(async () => {
    product = await openProduct();
  });
  afterEach(async () => {
    await product.close();
    removeFolder(product.folder);
  });
  const invited = async (practice: boolean) => {
    const { invite } = await product.as('seat-one')('invites.create', { label: 'Ada', practice });
    const caller = { seat: invite.seat, invite: invite.id };
    const ask = async (method: 'practice.read' | 'practice.answer', input: object) =>
      (await product.route(method, input, caller)) as {
        is_required: boolean;
        asks: { id: string; is_done: boolean }[];
      };
    return { ask, seat: invite.seat };
  };

  it('owes five answers, in any quality, and no longer than that', async () => {
    const { ask } = await invited(true);
    const { asks, is_required: isRequired } = await ask('practice.read', {});
    expect(isRequired).toBe(true);
    expect(JSON.stringify(asks)).not.toContain('"good"');

    for (const { id } of asks) await ask('practice.answer', { ask: id, text: 'I do not know.' });

    expect(await ask('practice.read', {})).toMatchObject({ is_required: false });
    expect((await (await invited(true)).ask('practice.read', {})).is_required).toBe(true);
  });

  it('is marked as having seen the reference of the tasks it practised on', async () => {
    const { ask, seat } = await invited(true);
    expect(product.log.projections.seen(seat, worldTask(1))).toEqual([]);

    await ask('practice.answer', { ask: ambiguous?.id ?? '', text: 'Pause 103.' });

    expect(product.log.projections.seen(seat, worldTask(1))).toEqual(['reference']);
    expect(product.log.projections.seen(seat, worldTask(3))).toEqual([]);
  });

  it('owes nothing where the invite says so, nor does the owner', async () => {
    expect(await (await invited(false)).ask('practice.read', {})).toMatchObject({ is_required: false });
    expect(await product.as('seat-one')('practice.read', {})).toMatchObject({ is_required: false });
  });
});
