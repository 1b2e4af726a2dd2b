import { expect, it } from 'vitest';
import { card, decide, editorText, goTo, waitForDraft } from './console.ts';
import { describeConsole } from './fixture.ts';

describeConsole('a brief before the start', (app) => {
  it('is written of an ended episode, read and sent by a person, and stands before the first turn', async () => {
    const earlier = await app.play();
    const page = await app.open();
    await goTo(page, `#/episode/${earlier}`);
    await page.getByRole('button', { name: /^Run again with a brief/ }).click();
    await waitForDraft(page);

    await card(page).getByRole('heading', { name: 'A brief before the start' }).waitFor();
    await card(page).getByText('nobody checked that the task is not held out').waitFor();
    expect(await editorText(page)).toMatch(/^(PASS|FAIL) \(/);
    await decide(page, 'a');
    await page.getByText('Brief: Draft accepted').waitFor();
  });
});
