import { describe, expect, it } from 'vitest';
import { launch, npmBrowser } from '../support/browser.ts';

/** A machine with a browser of its own never takes this road, so it would break unseen. */
const found = npmBrowser();

describe.skipIf(found === null)('the Chromium that npm brings', () => {
  it('shows a page on a machine that has no other', async () => {
    const browser = await launch(found ?? { path: '', env: {} });
    const page = await browser.newPage();

    await page.setContent('<h1>here</h1>');

    expect(await page.locator('h1').innerText()).toBe('here');
    await browser.close();
  });
});
