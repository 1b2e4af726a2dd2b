import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { goTo } from './console.ts';
import { describeConsole } from './fixture.ts';

/** As many as there may be in all four parts, with everything open that opens. */
const INPUTS_MAX = 40;
const PARTS = ['Models', 'People', 'Environments and Connect', 'Advanced'] as const;

/** Every input in front of the person, with what is said of it. */
const inputs = (page: Page): Promise<{ label: string; says: string }[]> =>
  page
    .getByRole('main')
    .locator('input, select, textarea')
    .evaluateAll((all) =>
      all.map((one) => {
        const { labels } = one as HTMLInputElement;
        const described = one.getAttribute('aria-describedby')?.split(' ') ?? [];
        return {
          label: labels?.[0]?.textContent ?? one.getAttribute('aria-label') ?? '',
          says: [
            ...described.map((id) => document.getElementById(id)?.textContent ?? ''),
            labels?.[0]?.querySelector('small')?.textContent ?? '',
          ].join(' '),
        };
      }),
    );

describeConsole('the setup', (app) => {
  it('has four parts, reached by keyboard and kept in the address, with at most forty inputs in all, each with its default in words', async () => {
    await app.server.call('environments.add', { name: 'Theirs', url: 'http://127.0.0.1:9/' });
    const page = await app.open();
    await goTo(page, '#/setup');
    const parts = page.getByRole('navigation', { name: 'Parts of the setup' });
    await expect.poll(() => parts.getByRole('link').allInnerTexts()).toEqual(PARTS);
    const found: { label: string; says: string }[] = [];
    for (const part of PARTS) {
      await parts.getByRole('link', { name: part }).press('Enter');
      await page.getByRole('heading', { name: part, level: 1 }).waitFor();
      if (part === 'Advanced') await page.getByLabel('Document').waitFor();
      if (part === 'Models') {
        await page
          .getByRole('form', { name: 'Add a model profile' })
          .getByLabel('Provider')
          .selectOption('azure');
      }
      if (part === 'Environments and Connect') {
        await page.getByRole('button', { name: 'Change Theirs' }).click();
        await page.getByRole('button', { name: 'Add header' }).click();
        await page
          .getByLabel('Gives access to')
          .selectOption({ label: 'One environment, the expert and MCP' });
      }
      await page
        .getByRole('main')
        .locator('details')
        .evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
      found.push(...(await inputs(page)));
    }

    expect(found.length).toBeGreaterThan(35);
    expect(found.length).toBeLessThanOrEqual(INPUTS_MAX);
    expect(found.filter(({ says }) => !/unless|Needed|default/.test(says))).toEqual([]);
    expect(new URL(page.url()).hash).toBe('#/setup/advanced');
  });

  it('has every other setting in one document: what is wrong with it is said, and what is changed holds at once', async () => {
    await app.play();
    const page = await app.open();
    await goTo(page, '#/setup/advanced');
    const form = page.getByRole('form', { name: 'The other settings, as JSON' });
    const text = form.getByRole('textbox');
    const save = form.getByRole('button', { name: 'Save' });
    const shown = JSON.parse(await text.inputValue());
    const generous = structuredClone(shown.reward_profiles[0]);
    generous.name = 'generous';
    Object.assign(generous.settings.shaping.base, { incomplete: 0.25, other: 0.25 });
    const write = (document: unknown): Promise<void> => text.fill(JSON.stringify(document));

    await text.fill('{ "gateway": ');
    await form.getByText('This is no JSON').waitFor();
    await write({ ...shown, gateway: { ...shown.gateway, cut_chars: 0 } });
    await form.getByText(/^gateway\.cut_chars: /).waitFor();
    expect(await save.isDisabled()).toBe(true);
    const blind = structuredClone(generous);
    blind.settings.shaping.modifiers.blind = 5;
    await write({ ...shown, reward_profiles: [...shown.reward_profiles, blind] });
    await save.click();
    await form.getByText('the order solo > recovery > blind does not hold').waitFor();

    const gateway = { ask_deadline_ms: 20_000, on_touch: 'discard' };
    await write({ gateway, reward_profiles: [...shown.reward_profiles, generous] });
    await save.click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    const now = await app.server.call('settings.read', {});
    expect(now.gateway).toMatchObject(gateway);
    expect(now.reward_profiles.map(({ name }) => name)).toEqual(['default', 'generous']);

    // Nobody completed the task: both profiles pay for that, the new one more.
    await goTo(page, '#/episodes');
    for (const column of ['Shaped, default', 'Shaped, generous']) {
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitemradio', { name: column }).click();
    }
    const list = page.getByRole('grid', { name: 'Episodes' });
    await list.getByRole('gridcell', { name: '0.25', exact: true }).waitFor();
  });
});
