// The real Python `openai` client asks, and a person answers in a real browser: what an unchanged rollout and its expert
// see of each other.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { card, editor, goTo, openConsole, settle, write } from '../e2e/console.ts';
import { removeFolder, startServer, type Server } from '../e2e/server.ts';
import { findBrowser, launch } from '../support/browser.ts';
import { root } from './support.ts';

const run = promisify(execFile);
const python = join(import.meta.dirname, '.venv/bin/python');
const found = findBrowser();

function whatIsMissing(): string | null {
  if (found === null) return 'there is no Chromium here';
  if (!existsSync(join(root, 'out/renderer/index.html'))) return 'the console is not built: npm run build';
  try {
    execFileSync(python, ['-c', 'import openai'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'the Python package openai is not here: npm run test:peers installs it';
  }
}
const missing = whatIsMissing();
if (missing !== null)
  console.warn(`Skipped, a person in the browser for the Python openai client: ${missing}.`);

describe.skipIf(missing !== null)('a question of the real Python openai client', () => {
  let browser: Browser;
  let server: Server;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];
  beforeAll(async () => {
    if (found !== null) browser = await launch(found);
    server = await startServer();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
    removeFolder(server.folder);
  });
  beforeEach(async () => {
    context = await browser.newContext();
    page = await openConsole(context, server, complaints);
  });
  afterEach(async () => {
    await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  type Answer = { text: string; finish: string; model: string; total: number; chunks?: number };
  const ask = async (form: 'plain' | 'stream', question: string): Promise<Answer> => {
    const args = [
      join(import.meta.dirname, 'ask_person.py'),
      server.gateway.expert,
      server.key,
      form,
      question,
    ];
    const { stdout } = await run(python, args, { timeout: 60_000 });
    return JSON.parse(stdout) as Answer;
  };

  /** Reads the question at the desk as a person does, and sends an answer written by hand. */
  async function answerAtDesk(question: string, words: string): Promise<void> {
    await goTo(page, '#/desk');
    await card(page).getByText(question).first().waitFor();
    await card(page).getByText('The whole request').click();
    await card(page).getByText('You help an agent that works with tools.').waitFor();
    await editor(page).waitFor();
    await settle(page);
    await write(page, words);
    await page.keyboard.press('ControlOrMeta+Enter');
  }

  it.each(['plain', 'stream'] as const)(
    'in %s form gets what a person wrote in the browser, letter for letter',
    async (form) => {
      const question = `Which workflow sends the weekly digest, asked in ${form} form?`;
      const words = `Workflow 3, “Weekly digest” – naïve 🙂 (${form}).`;
      const asked = ask(form, question);
      await answerAtDesk(question, words);

      const { text, finish, model, total, chunks = 2 } = await asked;
      expect({ text, finish, model }).toEqual({ text: words, finish: 'stop', model: 'expert' });
      expect(total).toBeGreaterThan(10);
      expect(chunks).toBeGreaterThan(1);
    },
  );

  it('that a person declines is answered in words the client’s agent can read, not with an error', async () => {
    const asked = ask('stream', 'Which workflow is to be deleted?');
    await goTo(page, '#/desk');
    await card(page).getByText('Which workflow is to be deleted?').first().waitFor();
    await editor(page).waitFor();
    await settle(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await page.keyboard.type('That is for the agent to find out.');
    await settle(page);
    await page.keyboard.press('ControlOrMeta+Enter');

    const { text, finish } = await asked;
    expect(text).toMatch(/^No advice: /);
    expect(finish).toBe('stop');
  });
});
