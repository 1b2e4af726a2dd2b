import { expect, it } from 'vitest';
import { startOpenAiServer } from '../support/openaiServer.ts';
import { settle } from './console.ts';
import { describeConsole } from './fixture.ts';

const PLAN = JSON.stringify({
  plan: [{ tool: 'list_workflows', args: { workspace_id: 1 }, purpose: 'look' }],
});

describeConsole('several experts', (fixture) => {
  it('are entered with their skills, get the questions, and are named on the card, the timeline and in figures', async () => {
    const draft = { content: PLAN, model: 'small-1', usage: { prompt_tokens: 100, completion_tokens: 10 } };
    const model = await startOpenAiServer([draft]);
    await fixture.server.call('settings.change', {
      profiles: {
        save: {
          name: 'small',
          provider: 'openai',
          base_url: model.url,
          model: 'small-1',
          api_version: null,
        },
      },
    });
    const seat = await fixture.openSeat('Priya’s link');
    const page = await fixture.open();
    await page.goto(`${fixture.server.url.split('#')[0]}#/setup/people`);
    const form = page.getByRole('form', { name: 'Add an expert' });
    await form.getByLabel('Expert name').fill('Small');
    await form.getByLabel('Its model profile').selectOption('small');
    await form.getByLabel('Skills').fill('formatting, recovery');
    await form.getByLabel('What to ask it for').fill('how a call is written');
    await form.getByRole('button', { name: 'Save expert' }).click();
    await page.getByRole('button', { name: 'Change Small' }).waitFor();
    await form.getByLabel('Expert name').fill('SMALL');
    await form.getByText('Small is in the roster already: saving replaces it.').waitFor();
    await form.getByRole('button', { name: 'Replace expert' }).waitFor();
    await form.getByLabel('Expert name').fill('Priya');
    await form.getByLabel('Who it is').selectOption('person');
    await form.getByLabel('Their invite').selectOption({ label: 'Priya’s link' });
    await form.getByLabel('Skills').fill('planning, domain, billing');
    await form.getByLabel('What to ask it for').fill('what the workspace needs');
    await form.getByRole('button', { name: 'Save expert' }).click();
    await page.getByRole('button', { name: 'Change Priya' }).waitFor();
    const { roster } = await fixture.server.call('settings.read', {});
    const routes = { ...roster.routes, tool_errors: 'billing', format_error: 'billing', other: 'billing' };
    await fixture.server.call('settings.change', { roster: { ...roster, routes } });
    const episode = await fixture.ask();
    await seat.getByRole('link', { name: /^Desk/ }).click();
    const card = seat.getByRole('region', { name: 'Question' });
    await card.getByText('For: Priya (billing), by rule').waitFor();
    await card.getByText(/Yours first: other experts see it in/).waitFor();
    await card.getByText('Draft by small-1, unchecked').waitFor();
    await settle(seat);
    await card.getByRole('button', { name: /^Send/ }).click();
    await fixture.ended(episode);

    await page.goto(`${fixture.server.url.split('#')[0]}#/episode/${episode}`);
    const row = page.locator('[data-row-head]').filter({ hasText: 'Draft accepted by Priya' });
    await row.first().click();
    await page.getByText('Draft, by Small (small-1)').waitFor();
    await page.goto(`${fixture.server.url.split('#')[0]}#/setup/people`);
    const experts = page.getByRole('list', { name: 'Experts' });
    await experts.getByText(/^asked 1 · answered 1, half within/).waitFor();
    await experts.getByText('asked 0 · answered 0 · drafts 1: 1 accepted · 110 tokens').waitFor();
    await page.getByText(/^People gave .* minutes? in 1 act on 1 episode/).waitFor();
    await experts.scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Change Small' }).click();
    const change = page.getByRole('form', { name: 'Change an expert' });
    await change.scrollIntoViewIfNeeded();
    expect(await change.getByLabel('Skills').inputValue()).toBe('formatting, recovery');
    await model.close();
  });
});
