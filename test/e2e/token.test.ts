import { expect, it } from 'vitest';
import { describeConsole } from './fixture.ts';

describeConsole('a console without the right token', (app) => {
  const bare = (): string => app.server.url.replace(/#.*$/, '');
  const open = async (url: string) => {
    const page = await app.context.newPage();
    await page.goto(url);
    return page;
  };

  it('is told that the token was not accepted, and shows nothing of the log', async () => {
    const page = await open(`${bare()}#token=wrong-wrong-wrong`);

    await page.getByRole('heading', { name: 'The token was not accepted' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  it('is told so too when words were pasted into the link, instead of an empty page', async () => {
    const page = await open(`${app.server.url}Copy the link`);

    await page.getByRole('heading', { name: 'The token was not accepted' }).waitFor();
  });

  it('is told where to find the token when the address has none, and lets it be pasted', async () => {
    const page = await open(bare());

    await page.getByRole('heading', { name: 'This address has no token' }).waitFor();
    await page.getByRole('textbox', { name: 'Address or token' }).fill(app.server.url);
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.getByText('How do you want to begin?').waitFor();
    expect(page.url()).not.toContain(app.server.token);
  });

  it('takes the token out of the address and keeps it for a reload', async () => {
    const page = await open(app.server.url);
    await page.getByText('How do you want to begin?').waitFor();
    expect(page.url()).not.toContain('token');

    await page.reload();

    await page.getByText('How do you want to begin?').waitFor();
  });
});
