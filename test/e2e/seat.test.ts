import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { createSocketTransport } from '../../src/renderer/client/socket.ts';
import { decide, goTo, startEpisode, waitForDraft, write } from './console.ts';
import { describeConsole } from './fixture.ts';
import type { Server } from './server.ts';

describeConsole('an expert’s seat', (app) => {
  let server: Server;
  let owner: Page;
  beforeEach(async () => {
    ({ server } = app);
    owner = await app.open();
  });

  /** Makes an invite in the settings, as an owner does; the link it shows. */
  const invite = async (label: string, isPractising: boolean): Promise<string> => {
    await goTo(owner, '#/settings');
    await owner.getByRole('textbox', { name: 'Who to invite' }).fill(label);
    if (!isPractising) await owner.getByLabel('First', { exact: true }).selectOption('no');
    await owner.getByRole('button', { name: 'Create the link' }).click();
    const link = owner.locator('[data-invite-link]');
    await link.waitFor();
    return link.innerText();
  };
  const enter = async (link: string): Promise<Page> => {
    const page = await app.openLink(link);
    await page.getByRole('link', { name: 'My answers' }).waitFor();
    return page;
  };
  const places = (page: Page): Promise<(string | null)[]> =>
    page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')));

  const kept = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify(localStorage));

  it('opens from a link with Desk, Live and My answers only, answers, and sees what came of it', async () => {
    const expert = await enter(await invite('Ada', false));
    await expect.poll(() => places(expert)).toEqual(['Desk', 'Live', 'My answers']);
    await goTo(expert, '#/settings');
    await expert.getByText('You’re all caught up').waitFor();
    await expert.keyboard.press('s');
    expect(await expert.getByRole('dialog').count()).toBe(0);

    const id = await startEpisode(owner, 0, 'Human with a draft');
    await goTo(expert, '#/desk');
    await waitForDraft(expert);
    await decide(expert, 'a');
    await expect.poll(async () => (await server.record(id)).ended?.outcome).toBe('done');

    await expert.getByRole('link', { name: 'My answers' }).click();
    const mine = expert.getByRole('list', { name: 'My answers' }).getByRole('listitem');
    await expect
      .poll(() => mine.innerText())
      .toMatch(/Accepted the draft[\s\S]*followed[\s\S]*verified: complete/);
    expect((await server.record(id)).consultations[0]?.decision).toMatchObject({ actor: { type: 'human' } });
  });

  it('practises on five recorded questions first, and stands at the desk after the last', async () => {
    const expert = await app.openLink(await invite('Di', true));
    const advice = expert.getByRole('textbox', { name: 'Your advice' });
    const send = () => expert.keyboard.press('ControlOrMeta+Enter');
    await expert.getByText('Practice, 1 of 5').waitFor();
    await advice.focus();
    await send();
    await expert.getByRole('heading', { name: 'A good answer' }).waitFor();
    await expert.getByRole('button', { name: 'Next question' }).click();

    await expert.getByText('Practice, 2 of 5').waitFor();
    await advice.focus();
    await send();
    await expert.getByRole('heading', { name: 'Not quite what the agent needs' }).waitFor();
    await expert.getByText('Workflow 102 has the same name, but it is the finance team’s.').waitFor();
    await advice.fill('Pause workflow 103, the one of the purchasing team.');
    await send();
    await expert.getByRole('heading', { name: 'A good answer' }).waitFor();

    // Where one was is kept over a reload.
    await expert.reload();
    for (const number of [3, 4, 5]) {
      await expert.getByText(`Practice, ${String(number)} of 5`).waitFor();
      await advice.focus();
      await send();
      await expert.getByRole('button', { name: /Next question|Go to the desk/ }).click();
    }
    await expert.getByText('You’re all caught up').waitFor();
    await expert.reload();
    await expert.getByText('You’re all caught up').waitFor();
  });

  it('makes a plan of plain words, and sends both', async () => {
    const words = 'Priya is the finance lead. Use set_workflow_status on workflow 101 and make it active.';
    const expert = await enter(await invite('Eve', false));
    const id = await startEpisode(owner, 0, 'Human with a draft');
    await waitForDraft(expert);
    await write(expert, words);

    await expert.getByRole('button', { name: 'Make plan' }).click();
    await expert.getByText('Set workflow status: workflow id 101, status "active".').waitFor();
    await expert.getByText('“Priya is the finance lead.”').waitFor();
    await expert.getByRole('button', { name: 'Add the plan below my text' }).click();
    await expert.getByText('Reads as 1 call: set_workflow_status').waitFor();
    await decide(expert);

    await expect
      .poll(async () => (await server.record(id)).consultations[0]?.decision?.type)
      .toBe('approved');
    const decision = (await server.record(id)).consultations[0]?.decision;
    const text = decision?.type === 'approved' ? decision.text : '';
    expect(text).toMatch(new RegExp(`^${words}\\n\\n\\{\\s+"plan"`));
  });

  it('is refused what is the owner’s, whatever the page sends', async () => {
    const link = await invite('Bo', false);
    const transport = createSocketTransport({
      origin: server.url.replace(/^http/, 'ws').replace(/\/#.*$/, ''),
      token: link.split('#token=')[1] ?? '',
      seat: 'seat-chosen',
    });

    await expect(transport.call('settings.read', {})).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'settings.read is not for an expert’s seat',
    });
    transport.close();
  });

  it('keeps the words a person writes when the invite is revoked, and says that it was', async () => {
    const expert = await enter(await invite('Cy', false));
    await startEpisode(owner, 0, 'Human with a draft');
    await waitForDraft(expert);
    await write(expert, 'half a sentence');
    await expect.poll(() => kept(expert)).toContain('half a sentence');

    await goTo(owner, '#/settings');
    await owner.getByRole('button', { name: 'Revoke Cy' }).click();
    await owner.getByRole('button', { name: 'Revoke now' }).click();

    await expert.getByRole('heading', { name: 'This invite is no longer valid' }).waitFor();
    expect(await expert.getByRole('navigation').count()).toBe(0);
    await expert.reload();
    await expert.getByRole('heading', { name: 'This invite is no longer valid' }).waitFor();
    await owner.getByText('The invite of Cy is revoked').waitFor();
    expect(await kept(expert)).toContain('half a sentence');
  });
});
