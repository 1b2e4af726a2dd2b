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
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
    expect(kept).not.toContain(app.server.token);
    const entry = await page.evaluate(() => localStorage.getItem('interject.entry'));
    const [cookie, ...others] = await app.context.cookies(`${bare()}console/${entry ?? ''}`);
    expect(cookie).toMatchObject({ value: app.server.token, httpOnly: true, sameSite: 'Strict' });
    expect(others).toEqual([]);
  });

  it('has the owner and an invited seat side by side in one browser, over a reload of each', async () => {
    const owner = await open(app.server.url);
    await owner.getByText('How do you want to begin?').waitFor();
    const { token } = await app.server.call('invites.create', { label: 'Ada' });
    const guest = await open(`${bare()}#token=${token}`);
    await guest.getByRole('link', { name: 'My answers' }).waitFor();

    await Promise.all([owner.reload(), guest.reload()]);

    await guest.getByRole('link', { name: 'My answers' }).waitFor();
    await owner.getByText('How do you want to begin?').waitFor();
    // The next tab is the owner's own, as before.
    await (await open(bare())).getByText('How do you want to begin?').waitFor();
  });

  it('goes on where the token was renewed, and is told so in every other browser', async () => {
    const elsewhere = await (await app.newContext()).newPage();
    await elsewhere.goto(app.server.url);
    await elsewhere.getByText('How do you want to begin?').waitFor();
    const page = await open(`${app.server.url}&/setup/people`);
    await page.getByRole('button', { name: 'Renew the address' }).click();
    await page.getByRole('button', { name: 'Renew now' }).click();

    const address = await page.locator('[data-secret="true"]').innerText();
    await elsewhere.getByRole('heading', { name: 'The token was not accepted' }).waitFor();
    await elsewhere.goto(`${app.server.url}&x`);
    await elsewhere.getByRole('heading', { name: 'The token was not accepted' }).waitFor();
    expect(address).not.toContain(app.server.token);
    await page.reload();
    await page.getByRole('button', { name: 'Renew the address' }).waitFor();
    await elsewhere.goto(address);
    await elsewhere.getByText('How do you want to begin?').waitFor();
  });
});
