import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { goTo, stepNames } from './console.ts';
import { describeConsole } from './fixture.ts';

const CHAT = {
  messages: [
    { role: 'user', content: 'Find the cheapest bread.' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find_bread', arguments: '{"max":2}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'rye, 1.80' },
    { role: 'assistant', content: 'Rye is the cheapest.' },
  ],
};
const AWM = {
  scenario: 'corner_shop',
  task: 'Order two loaves.',
  task_idx: 3,
  steps: 4,
  trajectory: [
    { action: 'list_tools', success: true, num_tools: 1, tool_names: ['order'] },
    {
      action: 'call_tool',
      tool_name: 'order',
      arguments: { loaves: 2 },
      success: false,
      result: null,
      error: 'no bread',
    },
    { action: 'verify', arguments: {}, success: true, reward_type: 'others', reward: 0, verify_result: {} },
  ],
};

const report = (page: Page) => page.getByRole('list', { name: 'Imports' });

describeConsole('bringing logs in', (app) => {
  it('reads chosen files, says what was odd and where, and opens them in replay', async () => {
    const page = await app.open();
    await goTo(page, '#/episodes');
    const folder = join(app.server.folder, 'mine');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'rows.jsonl'),
      `${JSON.stringify(CHAT)}\n{"messages": [\n${JSON.stringify(CHAT)}\n`,
    );

    await page.getByRole('button', { name: 'Import…' }).first().waitFor();
    await page.getByLabel('Files to import').setInputFiles(join(folder, 'rows.jsonl'));

    await report(page).getByText('2 episodes', { exact: true }).waitFor();
    await report(page).getByText('chat JSON lines').waitFor();
    await report(page).getByText('line 2', { exact: true }).waitFor();
    await page.getByText('Find the cheapest bread.').first().waitFor();

    await report(page).getByRole('link', { name: 'Open the first' }).click();
    await page.getByText('Imported from chat JSON lines').waitFor();
    await expect
      .poll(() => stepNames(page))
      .toEqual([
        'Started',
        'Imported from chat JSON lines',
        expect.stringMatching(/^Find bread/),
        'Final answer',
        'Ended',
      ]);
    await page.getByText('Imported from chat JSON lines').click();
    await page.getByText('This file does not record: times').waitFor();
  });

  it('takes a folder, a drop and a paste, recognises the same file again, and says what is no log', async () => {
    const page = await app.open();
    await goTo(page, '#/episodes');
    const folder = join(app.server.folder, 'run');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'trajectory.json'), JSON.stringify(AWM));
    writeFileSync(join(folder, 'corner_shop_initial.db'), 'x');
    writeFileSync(join(folder, 'notes.json'), '{"hello": 1}');

    await page.getByRole('button', { name: 'Import…' }).first().waitFor();
    await page.getByLabel('Folder to import').setInputFiles(folder);
    await report(page).getByText('1 episode, 1 file no log', { exact: true }).waitFor();
    await page.getByText('Order two loaves.').first().waitFor();

    await drop(page, 'again.txt', JSON.stringify(AWM));
    await report(page)
      .getByText(/1 already here/)
      .waitFor();
    await drop(page, 'letter.txt', 'Dear reader');
    await report(page)
      .getByRole('alert')
      .getByText(/none of the formats/)
      .waitFor();

    await page.evaluate(
      (text) => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
      },
      JSON.stringify({ ...CHAT, note: 'pasted' }),
    );
    await report(page).getByText('pasted.json').first().waitFor();
    await page.getByText('Find the cheapest bread.').first().waitFor();

    await page.getByText('Order two loaves.').first().click();
    await page.keyboard.press('Enter');
    await page.getByText('Imported from AWM server trajectory').waitFor();
    await page.getByText('order', { exact: true }).first().click();
    await page.getByText('Only the call was recorded, not the agent’s own text.').waitFor();
  });

  it('refuses what it can read less than half of, says why, and imports it anyway when told to', async () => {
    const page = await app.open();
    await goTo(page, '#/episodes');
    const [asked, replied] = [CHAT.messages[0], CHAT.messages[3]];
    const lost = { messages: [asked, { ...replied, elsewhere: 'What really happened. '.repeat(40) }] };
    await page.getByRole('button', { name: 'Import…' }).first().waitFor();

    await drop(page, 'lost.jsonl', JSON.stringify(lost));
    await report(page)
      .getByRole('alert')
      .getByText(/too little of it could be read/)
      .waitFor();
    await report(page).getByRole('button', { name: 'Import anyway' }).click();

    await report(page).getByText('1 episode', { exact: true }).waitFor();
    await report(page)
      .getByText(/not read: messages/)
      .waitFor();
    await report(page).getByRole('button', { name: 'Import anyway' }).waitFor({ state: 'detached' });
  });

  it('stops on request, keeps what was whole and says so', async () => {
    const page = await app.open();
    await goTo(page, '#/episodes');
    const path = join(app.server.folder, 'long.jsonl');
    const rows = Array.from({ length: 6_000 }, (_, i) =>
      JSON.stringify({ ...CHAT, note: `${String(i)} ${'x'.repeat(3_000)}` }),
    );
    writeFileSync(path, rows.join('\n'));

    await page.getByRole('button', { name: 'Import…' }).first().waitFor();
    await page.getByLabel('Files to import').setInputFiles(path);
    await report(page)
      .getByText(/^reading, /)
      .waitFor();
    await report(page).getByRole('button', { name: 'Cancel' }).click();
    await report(page)
      .getByText(/^cancelled, /)
      .waitFor();

    const { total } = await app.server.call('episodes.page', {
      query: '',
      status: null,
      condition: null,
      offset: 0,
      limit: 1,
    });
    expect(total).toBeLessThan(6_000);
  });
});

async function drop(page: Page, name: string, content: string): Promise<void> {
  const data = await page.evaluateHandle(
    ({ file, text }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], file));
      return transfer;
    },
    { file: name, text: content },
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await page.getByText('Drop logs here').waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}
