import { afterEach, beforeEach, expect, it } from 'vitest';
import { heldReset } from '../support/heldReset.ts';
import { goTo } from './console.ts';
import { describeConsole } from './fixture.ts';
import { START } from './server.ts';

describeConsole('an environment that is long in resetting', (app) => {
  let held: Awaited<ReturnType<typeof heldReset>>;
  beforeEach(async () => {
    held = await heldReset();
  });
  afterEach(() => held.close());

  it('shows what is awaited and how long it may take, and is cancelled by a key', async () => {
    const { id: environment } = await app.server.call('environments.add', { name: 'Slow', url: held.url });
    const { episodes } = await app.server.call('episode.start', {
      ...START,
      environment,
      scenario: null,
      task_idx: null,
      condition: 'none',
    });
    await held.asked;
    const page = await app.open();
    const id = episodes[0] ?? '';
    await goTo(page, `#/episode/${id}`);
    const bar = page.getByRole('region', { name: 'Control' });

    await bar.getByText(`Waiting for ${new URL(held.url).host} to reset`).waitFor();
    await bar.getByText(/^\d+ s of 330 s$/).waitFor();
    await bar.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.keyboard.press('Shift+Q');

    await held.left;
    await bar.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
    expect((await app.server.record(id)).ended).toMatchObject({
      outcome: 'stopped',
      reason: 'cancelled during the reset',
    });
    await page.getByText('cancelled during the reset').first().waitFor();
    expect(held.sessions()).toBe(0);
  });
});
