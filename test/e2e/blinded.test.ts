import { expect, it } from 'vitest';
import {
  chooseAdvice,
  type Condition,
  card,
  decide,
  goTo,
  pressStart,
  taskOption,
  timeline,
  verdict,
  waitForDraft,
  write,
} from './console.ts';
import { describeConsole } from './fixture.ts';

describeConsole('what an expert’s seat sees of a run', (app) => {
  /** Starts an episode from the dialog with one of the boxes that say what experts see. */
  const startWith = async (box: RegExp, condition: Condition): Promise<string> => {
    const owner = await app.open();
    await owner.keyboard.press('s');
    const dialog = owner.getByRole('dialog', { name: 'Start an episode' });
    await dialog.getByRole('radio', { name: /^loomline_workflows/ }).click();
    await taskOption(dialog, 0).click();
    await chooseAdvice(dialog, condition);
    await dialog.getByLabel(box).check();
    return pressStart(owner);
  };

  it('is neither verdict, reward nor uptake where it is blinded; the owner sees all of it', async () => {
    const id = await startWith(/^Blinded/, 'Human with a draft');
    const expert = await app.openSeat('Ada');
    await goTo(expert, '#/desk');
    await waitForDraft(expert);
    await decide(expert, 'a');
    await expect.poll(async () => (await app.server.record(id)).ended?.outcome).toBe('done');

    await goTo(expert, `#/episode/${id}`);
    await timeline(expert).getByText('This run is blinded: the verdict is hidden from you.').waitFor();
    await expert.getByText('Outcome hidden').first().waitFor();
    const told = /^(?:Complete|Failed)$|verifier says|followed/m;
    expect(await expert.locator('body').innerText()).not.toMatch(told);
    await goTo(expert, '#/episodes');
    // The list of all episodes is the owner's: an expert comes to the desk.
    await expert.getByText('You’re all caught up').waitFor();
    expect(await expert.locator('body').innerText()).not.toMatch(told);
    await expert.getByRole('link', { name: 'My answers' }).click();
    await expert.getByText('blinded run: not shown').waitFor();
    expect(await expert.getByRole('list', { name: 'My answers' }).innerText()).not.toMatch(
      /followed|verified/,
    );

    const owner = await app.open();
    await goTo(owner, `#/episode/${id}`);
    await verdict(owner).filter({ hasText: 'Complete reward 1' }).waitFor();
    await owner.getByText('blinded', { exact: true }).waitFor();
    await timeline(owner).getByText('followed').first().waitFor();
  });

  it('is the answer key only where the run grants it, and the advice that follows is marked', async () => {
    const expert = await app.openSeat('Ada');
    const closed = await app.ask({ condition: 'human' });
    await goTo(expert, '#/desk');
    await card(expert).getByText('Answer key, hidden').click();
    await card(expert).getByText('Only the owner of the run can see what the verifier checks.').waitFor();
    await app.server.call('episode.stop', { episode: closed, reason: null });

    const id = await startWith(/^Experts may open/, 'Human');
    await expert.bringToFront();
    await expect.poll(async () => (await app.server.record(id)).status).toBe('waiting');
    await expert.getByRole('listbox', { name: 'Waiting questions' }).getByRole('option').waitFor();
    await expert.keyboard.press('n');
    await expect.poll(() => card(expert).getAttribute('data-consultation')).toContain(id);
    await card(expert).getByText('Answer key, hidden').click();
    await card(expert)
      .getByRole('button', { name: /your advice will be marked/ })
      .click();
    await card(expert).getByText('Your advice on this task is marked').waitFor();
    await write(expert, 'Look it up first');
    await decide(expert);
    await expect
      .poll(async () => (await app.server.record(id)).consultations[0]?.decision)
      .toMatchObject({ act: 'send', privilege: ['criteria', 'reference'] });
  });
});
