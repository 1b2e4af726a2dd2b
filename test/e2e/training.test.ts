// Training runs in the console: the published example, a trainer's own log, and rollouts as they come through the tap.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pressSequence } from './console.ts';
import { connect } from '../support/tap.ts';
import { describeConsole } from './fixture.ts';

describeConsole('training runs', (app) => {
  it('shows the published example with the run that had no expert, value by value under the keys', async () => {
    const page = await app.open();
    await pressSequence(page, 'g', 't');
    await page.getByRole('heading', { name: 'example: expert in the loop' }).waitFor();
    await page
      .getByText(/more notes$/)
      .first()
      .click();
    await page.getByText('55.2 % at step 48').first().waitFor();
    const curve = page.getByRole('slider', { name: 'Values of reward curves' });
    await curve.focus();
    await page.keyboard.press('Home');
    await page.getByText('Adaptive expert. Training step 1: Reward −0.528').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('No expert, 48 steps. Training step 1: Reward −0.67').waitFor();

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save PNG' }).first().click();
    const png = readFileSync(await (await saving).path());
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect(png.readUInt32BE(16)).toBe(1800);
  });

  it('reads a trainer’s log that is picked, and says what it left out', async () => {
    const page = await app.open();
    await pressSequence(page, 'g', 't');
    const log = [1, 2, 3].map((step) =>
      JSON.stringify({ step, reward: step / 10, format_error_rate: 0.5, loss: 1 }),
    );
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'grpo.jsonl', mimeType: 'text/plain', buffer: Buffer.from(log.join('\n')) });
    await page.getByRole('heading', { name: 'grpo', exact: true }).waitFor();
    await page.getByText('grpo: reward rose from 0.1 at step 1 to 0.3 at step 3').first().waitFor();
    await page.getByText('Not read: loss').first().waitFor();
    await page.getByText('All 3 steps').click();
    await page.getByRole('row', { name: '2 0.2 50 %' }).waitFor();

    // With a run of one's own the published example stands aside.
    expect(await page.getByText('example: expert in the loop').count()).toBe(0);
    await page.locator('input[type=file]').setInputFiles({
      name: 'before.jsonl',
      mimeType: 'text/plain',
      buffer: Buffer.from(log.slice(1).join('\n')),
    });
    await page.getByRole('heading', { name: 'before', exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Compare grpo' }).check();
    await page.getByRole('checkbox', { name: 'Compare before' }).check();
    await page.getByRole('heading', { name: '2 runs side by side' }).waitFor();
    const both = page.getByRole('slider', { name: 'Values of reward curves' });
    await both.press('Home');
    await page.getByText('grpo. Training step 1: Reward 0.1').waitFor();
    await page.getByText('may be chance').first().waitFor();
    await page.getByRole('button', { name: 'End the comparison' }).click();
    await page.getByRole('heading', { name: 'before', exact: true }).waitFor();
  });

  it('shows a run while its trainer reports: its phase, what the expert left, and why', async () => {
    const page = await app.open();
    const { gateway } = app.server;
    // A trainer comes with the key of the tap.
    const key = /\/t\/(ij-[\w-]+)/.exec(JSON.stringify(gateway))?.[1] ?? '';
    const call = async (path: string, body: unknown): Promise<void> => {
      const answer = await fetch(`${new URL(gateway.expert).origin}/curriculum/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(200);
    };
    const rollouts = (step: number, completed: boolean) =>
      Array.from({ length: 8 }, () => ({
        step,
        scenario: 'mine',
        task_idx: 0,
        group: `g${String(step)}`,
        arm: 'solo',
        completed,
        reward: Number(completed),
        format_error: step < 2,
      }));
    await call('report', { run: 'live', id: '1', rollouts: rollouts(1, true) });
    await page.goto(`${app.server.url.split('#')[0] ?? ''}#/runs/live`);
    const panel = page.getByRole('region', { name: 'Curriculum' });
    await panel.getByText('No decisions yet.').waitFor();

    await call('next', { run: 'live', step: 2 });
    await panel.getByText('6 of 8 with an expert').waitFor();
    await panel.getByText('Without the expert: 1 of 1 task').waitFor();
    await call('report', {
      run: 'live',
      id: '2',
      rollouts: rollouts(2, false),
      metrics: [{ step: 2, reward: 0.25 }],
    });
    await page.getByText('live: reward fell from 1 at step 1 to 0.25 at step 2').first().waitFor();
    await call('next', { run: 'live', step: 3 });
    const decision = panel.locator('summary', { hasText: 'Step 3: scaffold, 6 : 2, 2 changes' });
    await decision.focus();
    await page.keyboard.press('Enter');
    await panel.getByText('the expert comes back to mine #0: alone it completed 0 of the last 8').waitFor();
    await panel.getByText('Format errors 0 %: points to independence (1 in a row), waits').waitFor();

    await panel.getByText('Change settings').first().click();
    await panel.getByLabel('Settings').fill('{"phases": {"fixed_share": 0.5}}');
    await panel.getByRole('button', { name: 'Change settings' }).click();
    await page.getByText('Settings changed').waitFor();
    await panel.getByRole('button', { name: 'Set back to before step 3' }).click();
    await panel.getByText('6 of 8 with an expert').waitFor();
    await decision.waitFor({ state: 'detached' });
    await call('next', { run: 'live', step: 3 });
    await panel.getByText('4 of 8 with an expert').waitFor();
  });

  it('shows a run live as its trainer plays it through the tap, and its environment at a glance', async () => {
    const page = await app.open();
    const place = app.server.url.split('#')[0] ?? '';
    await page.goto(`${place}#/runs/tapped`);
    const client = await connect(app.server.gateway.tap);
    const rollout = async (step: number, reward: number): Promise<void> => {
      await client.reset({
        scenario: 'loomline_workflows',
        task_idx: 0,
        reward_config: { others: reward },
        interject_run: 'tapped',
        interject_step: step,
        interject_group: `prompt of step ${String(step)}`,
      });
      await client.call(reward > 0 ? 'list_workspaces' : 'no_such_tool');
      await client.call('verify');
      await client.call('done');
    };
    const title = (text: string) => page.getByRole('figure', { name: text }).waitFor();
    const heights = () => page.locator('figure').first().locator('.y-tick').allTextContents();
    for (const reward of [0, 0.25, 0.25, 0.5]) await rollout(1, reward);
    await title('tapped: reward 0.25 at step 1');
    await rollout(2, 1);
    await title('tapped: reward rose from 0.25 at step 1 to 1 at step 2');
    const shown = await heights();
    for (const reward of [0, 0]) await rollout(2, reward);
    await title('tapped: reward rose from 0.25 at step 1 to 0.333 at step 2');
    expect(await heights()).toEqual(shown);
    const ended = new Promise((done) => client.socket.once('close', done));
    client.socket.close();
    await ended;
    await page.getByText('2 steps, 7 episodes').waitFor();

    await page.goto(`${place}#/setup/connect`);
    await page.getByRole('listitem').filter({ hasText: 'Built-in worlds' }).getByText('Overview').click();
    const overview = page.getByRole('region', { name: 'Overview of Built-in worlds' });
    await overview.getByRole('figure', { name: '43 tasks in 5 scenarios' }).waitFor();
    await overview.getByRole('row', { name: 'no_such_tool 3 3 100 %' }).waitFor();
    await overview.scrollIntoViewIfNeeded();
  });
});
