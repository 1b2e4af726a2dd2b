import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBrowser, launch } from '../support/browser.ts';
import { removeFolder, startServer, type Server } from './server.ts';

const found = findBrowser();

describe.skipIf(found === null)('a console without the right token', () => {
  let browser: Browser;
  let server: Server;
  beforeAll(async () => {
    if (found !== null) browser = await launch(found);
    server = await startServer();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    removeFolder(server.folder);
  });
  const bare = (): string => server.url.replace(/#.*$/, '');
  const open = async (url: string) => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(url);
    return page;
  };

  it('is told that the token was not accepted, and shows nothing of the log', async () => {
    const page = await open(`${bare()}#token=wrong-wrong-wrong`);

    await page.getByRole('heading', { name: 'The token was not accepted' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  it('is told so too when words were pasted into the link, instead of an empty page', async () => {
    const page = await open(`${server.url}Copy the link`);

    await page.getByRole('heading', { name: 'The token was not accepted' }).waitFor();
  });

  it('is told where to find the token when the address has none, and lets it be pasted', async () => {
    const page = await open(bare());

    await page.getByRole('heading', { name: 'This address has no token' }).waitFor();
    await page.getByRole('textbox', { name: 'Address or token' }).fill(server.url);
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.getByText('You’re all caught up').waitFor();
    expect(page.url()).not.toContain(server.token);
  });

  it('takes the token out of the address and keeps it for a reload', async () => {
    const page = await open(server.url);
    await page.getByText('You’re all caught up').waitFor();
    expect(page.url()).not.toContain('token');

    await page.reload();

    await page.getByText('You’re all caught up').waitFor();
  });
});
