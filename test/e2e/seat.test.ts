import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { expectNoFindings } from './axePage.ts';
import { decide, goTo, settle, startEpisode, waitForDraft, write } from './console.ts';
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
  const invite = async (label: string): Promise<string> => {
    await goTo(owner, '#/setup/people');
    await owner.getByRole('textbox', { name: 'Who to invite' }).fill(label);
    await owner.getByRole('button', { name: 'Create the link' }).click();
    const link = owner.locator('[data-secret="true"]');
    await link.waitFor();
    return link.innerText();
  };
  const enter = async (link: string): Promise<Page> => {
    const page = await app.openLink(link);
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.getByRole('link', { name: 'My answers' }).waitFor();
    return page;
  };
  const places = (page: Page): Promise<(string | null)[]> =>
    page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.textContent));

  const kept = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify(localStorage));

  it('opens from a link with Desk and My answers only, answers, and sees what came of it', async () => {
    const expert = await enter(await invite('Ada'));
    await expect.poll(() => places(expert)).toEqual(['Desk', 'My answers']);
    await goTo(expert, '#/setup');
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
      .toMatch(/^At Harbor & Pine Logistics[\s\S]*Accepted the draft[\s\S]*followed[\s\S]*Complete/);
    await mine.locator('summary').first().click();
    await mine.getByText(/^Subscribe user/).waitFor();
    expect(await mine.getByText('"plan"').isVisible()).toBe(false);
    expect((await server.record(id)).consultations[0]?.decision).toMatchObject({ actor: { type: 'human' } });
  });

  it('leads through a first question that reaches nobody, refuses what is wrong, and ends at the desk', async () => {
    const expert = await app.openLink(await invite('Di'));
    const step = async (title: string): Promise<void> => {
      await expert.getByRole('heading', { name: title }).waitFor();
      await settle(expert);
    };
    await step('1 of 3: Accept a good draft');
    await waitForDraft(expert);
    await expectNoFindings(expert, 'the introduction');
    // Nobody is asked to read JSON.
    expect(await expert.getByRole('button', { name: /JSON/ }).count()).toBe(0);
    // Who is led answers nobody: the seat does not count.
    await expert.getByText(/^In the introduction, /).waitFor();
    await expert.keyboard.press('a');
    await expert.getByText('Right: the agent would now do this and go on.').waitFor();
    await expert.keyboard.press('n');

    await step('2 of 3: Mend a wrong draft');
    await waitForDraft(expert);
    // What shows that it is wrong is there without asking.
    const returned = expert.locator('summary');
    await returned.filter({ hasText: /Cancelled\. Order 52: .*home on Elm Road/ }).waitFor();
    await returned.filter({ hasText: /Order 53: .*café on Pier Street/ }).waitFor();
    await decide(expert, 'a');
    await expert.getByText('Order 52 goes to his home. The task means the café’s, order 53.').waitFor();
    await write(expert, 'Cancel order 53, the one of the café.');
    await decide(expert);
    await expert.getByText('Right: order 53 is the café’s.').waitFor();
    await expert.keyboard.press('n');

    await step('3 of 3: Decline a question');
    await waitForDraft(expert);
    await decide(expert, 'r');
    await expert.keyboard.type('I never give out passwords.');
    await decide(expert);
    await expert.getByText('Right: the agent reads your reason and goes on without the password.').waitFor();
    await expert.getByText('You declined. The agent reads: I never give out passwords.').waitFor();
    await expert.getByRole('button', { name: 'Go to the desk' }).click();
    await expert.getByText('You’re all caught up').waitFor();
    await expert.getByText(/^On duty, /).waitFor();

    await expert.reload();
    await expert.getByText('You’re all caught up').waitFor();
    await expert.getByRole('link', { name: 'My answers' }).click();
    await expert.getByText('No answers yet').waitFor();
    await expert.getByRole('button', { name: 'Repeat the introduction' }).click();
    await step('1 of 3: Accept a good draft');
    await expert.getByRole('button', { name: 'Skip' }).click();
    await expert.getByText('No answers yet').waitFor();
  });

  it('makes a plan of plain words, and sends both', async () => {
    const words = 'Priya is the finance lead. Use set_workflow_status on workflow 101 and make it active.';
    const expert = await enter(await invite('Eve'));
    const id = await startEpisode(owner, 0, 'Human with a draft');
    await waitForDraft(expert);
    await write(expert, words);

    await expert.getByRole('button', { name: 'Make plan' }).click();
    await expert
      .getByText(/^Set the (?:state|status) of workflow .*active/)
      .first()
      .waitFor();
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

  it('keeps the words a person writes when the invite is revoked, and says that it was', async () => {
    const expert = await enter(await invite('Cy'));
    await startEpisode(owner, 0, 'Human with a draft');
    await waitForDraft(expert);
    await write(expert, 'half a sentence');
    await expect.poll(() => kept(expert)).toContain('half a sentence');

    await goTo(owner, '#/setup/people');
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
