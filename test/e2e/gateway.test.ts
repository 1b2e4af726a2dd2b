// The gateway as its owner uses it: clients come in from outside, and a person sees, answers and limits them.
import OpenAI from 'openai';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSession } from '../../src/main/openenv/openSession.ts';
import type { OpenEnvSession } from '../../src/main/openenv/session.ts';
import { expectNoFindings } from './axePage.ts';
import { card, decide, editor, goTo, openDetails, settle, timeline, write } from './console.ts';
import { describeConsole } from './fixture.ts';
import { connect } from '../support/tap.ts';
import { until } from '../screenshots/until.ts';
import { START, type Server } from './server.ts';

const EXECUTES = 'Executes calls that nobody decides';
const PAGE = { query: '', status: null, condition: null, offset: 0, limit: 50 };

describeConsole('the gateway', (app) => {
  let server: Server;
  let page: Page;
  const sessions: OpenEnvSession[] = [];
  beforeEach(async () => {
    ({ server } = app);
    page = await app.open();
  });
  afterEach(() => {
    for (const session of sessions.splice(0)) session.close();
  });

  const client = (key = server.key): OpenAI =>
    new OpenAI({ baseURL: server.gateway.expert, apiKey: key, maxRetries: 0 });
  const play = async (): Promise<OpenEnvSession> => {
    const session = await openSession(server.gateway.tap);
    sessions.push(session);
    await session.reset({ scenario: 'loomline_workflows', task_idx: 3 });
    return session;
  };
  const door = (name: string) => page.getByRole('region', { name, exact: true });

  it('says to open the Desk first while nobody is on duty', async () => {
    await goTo(page, '#/setup/connect');
    const expert = door('Expert as a model');
    await expert.getByRole('status').first().waitFor();
    expect(await expert.getByText('No one is on duty').count()).toBe(0);
    await server.call('seat.change', { presence: 'away' });
    await page.getByRole('button', { name: 'Presence: On duty' }).click();
    await page.getByRole('menuitemradio', { name: /^Away/ }).click();
    await expert.getByText('No one is on duty').waitFor();
    await expert.getByRole('link', { name: 'open the Desk' }).click();
    await page.getByRole('main', { name: 'Desk' }).waitFor();
  });

  it('prints real addresses with covered keys, and says “seen” when the first client came', async () => {
    await goTo(page, '#/setup/connect');
    const environment = door('Environment');
    await environment.getByText('Waiting for the first connection').waitFor();
    const lines = environment.locator('[data-snippet="openenv"]');
    expect(await lines.innerText()).toContain('base_url=f"http://127.0.0.1:');
    expect(await lines.innerText()).not.toContain(server.gateway.tap.split('/t/')[1]);

    await page.getByRole('button', { name: 'Show the keys' }).click();
    expect(await lines.innerText()).toContain(server.gateway.tap);
    await play();
    await environment.getByText('Connected!').waitFor();

    await door('Expert as a model').getByText('Waiting for the first connection').waitFor();
    await client().models.list();
    await door('Expert as a model').getByText('Connected!').waitFor();
  });

  it('brings a request of the real openai client to the desk, and a person’s words back', async () => {
    const asked = client().chat.completions.create({
      model: 'expert',
      messages: [
        { role: 'system', content: 'You help an agent that works with tools.' },
        { role: 'user', content: 'Which workflow sends the weekly digest?' },
      ],
    });

    await goTo(page, '#/desk');
    await card(page).getByText('Asked as a model. Not linked to an episode').waitFor();
    await card(page).getByText('The whole request').click();
    await card(page).getByText('You help an agent that works with tools.').waitFor();
    await editor(page).waitFor();
    await settle(page);
    await write(page, 'Workflow 3, “Weekly digest”.');
    await card(page)
      .getByText(/^28 of 3,000 characters/)
      .waitFor();
    await decide(page);

    const { choices } = await asked;
    expect(choices[0]?.message.content).toBe('Workflow 3, “Weekly digest”.');
  });

  it('makes a key that is shown once and opens its door, and refuses it once revoked', async () => {
    await goTo(page, '#/setup/connect');
    const form = page.getByRole('form', { name: 'Create a key' });
    await form.getByLabel('Create a key for').fill('cluster');
    await form.getByLabel('Requests a minute').fill('2');
    await form.getByRole('button', { name: 'Create the key' }).click();
    const secret = await page.locator('[data-secret="true"]').innerText();

    await client(secret).models.list();
    await client(secret).models.list();
    await expect(client(secret).models.list()).rejects.toMatchObject({ status: 429 });

    await page.getByRole('button', { name: 'Done, I copied it' }).click();
    await page.getByText(secret).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke cluster' }).click();
    await page.getByRole('button', { name: 'Revoke now' }).click();
    await page.getByText('“cluster” is revoked').waitFor();
    await expect(client(secret).models.list()).rejects.toMatchObject({ status: 401 });
  });

  it('shows a client’s episode live, and puts a person’s note into its next observation', async () => {
    const session = await play();
    const tools = await session.listTools();
    await session.callTool('list_workspaces', {});
    const every = { query: '', status: null, condition: null, offset: 0, limit: 5 };
    const tapped = async (): Promise<string | null> =>
      (await server.call('episodes.page', every)).rows.find(({ source }) => source === 'tap')?.id ?? null;
    await expect.poll(tapped).not.toBeNull();
    const episode = (await tapped()) ?? '';
    await goTo(page, `#/episode/${episode}`);
    await page.getByText('tapped, advice and notes only').waitFor();
    await openDetails(page);
    await page.getByText('no model text was recorded').waitFor();
    await timeline(page).getByText('list_workspaces').first().waitFor();

    await page.keyboard.press('i');
    const note = page.getByRole('textbox', { name: /note/i });
    await note.fill('The digest is workflow 3.');
    await page.keyboard.press('ControlOrMeta+Enter');
    await timeline(page).getByText('The digest is workflow 3.').first().waitFor();
    const next = await session.callTool('list_workspaces', {});

    expect(next.raw).toContain('The digest is workflow 3.');
    expect(tools.tools.length).toBeGreaterThan(5);
  });

  it('suggests an episode that fails without asking, below what waits, until it is dismissed or gets worse', async () => {
    const session = await play();
    const fail = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i += 1)
        await session.callTool('get_workflow', { workflow_id: `no ${String(i)}` });
    };
    await goTo(page, '#/desk');
    const might = page.getByRole('region', { name: 'Might need you' });
    await fail(3);
    await might.getByText('3 errors in a row').waitFor();
    await might.getByRole('button', { name: 'Dismiss' }).click();
    await might.waitFor({ state: 'detached' });
    await fail(3);
    await might.getByText(/^6 errors in a row/).waitFor();
    await might.getByRole('button', { name: 'Watch' }).click();
    await page.waitForURL(/#\/episode\//);

    const episode = page.url().split('#/episode/')[1] ?? '';
    const acts = async (): Promise<string[]> =>
      (await server.events(episode)).flatMap(({ event }) =>
        event.kind === 'suggestion.shown'
          ? ['shown']
          : event.kind === 'suggestion.answered'
            ? [event.act]
            : [],
      );
    await expect.poll(acts).toEqual(['shown', 'dismiss', 'shown', 'watch']);
  });

  it('lists the rollouts of one prompt together, with what they came to', async () => {
    const start = { ...START, condition: 'none' as const, repeats: 3 };
    const { episodes } = await server.call('episode.start', start);
    await goTo(page, '#/episodes');
    await page.getByRole('button', { name: 'By task', exact: true }).click();
    const group = page
      .getByRole('list', { name: 'Groups of rollouts' })
      .getByRole('listitem')
      .filter({ hasText: '3 rollouts' });
    await group.getByText(/3 complete|0 complete/).waitFor();
    await expectNoFindings(page, 'groups of rollouts');
    await group.getByRole('link').click();

    const list = page.getByRole('grid', { name: 'Episodes' });
    await expect.poll(() => list.getByRole('row').count()).toBe(3);
    await page.getByText(/^3 episodes · .* complete · /).waitFor();
    await list.getByRole('link').nth(1).click();
    await page.waitForURL((url) => episodes.some((id) => url.hash.includes(id)));
    await openDetails(page);
    await page.getByRole('link', { name: 'group', exact: true }).click();
    await expect.poll(() => list.getByRole('row').count()).toBe(3);
  });

  it('says in red wherever it holds that a key executes calls that nobody decides, and checks an edit by the call’s own form', async () => {
    await goTo(page, '#/setup/connect');
    const form = page.getByRole('form', { name: 'Create a key' });
    await form.getByLabel('Create a key for').fill('night cluster');
    await form.getByLabel('Gives access to').selectOption({ label: 'One environment, through the tap' });
    await form.getByLabel('A held call waits for').fill('soon');
    await form.getByText('A length of time, such as 50 seconds or 3 days.').waitFor();
    await form.getByLabel('A held call waits for').fill('3 days');
    expect(await form.getByText(EXECUTES).count()).toBe(0);
    await form.getByLabel('When nobody decides').selectOption('approve');
    await form.getByText(EXECUTES).waitFor();
    await form.scrollIntoViewIfNeeded();
    await form.getByRole('button', { name: 'Create the key' }).click();
    const secret = await page.locator('[data-secret="true"]').innerText();
    const row = page
      .getByRole('list', { name: 'Access keys' })
      .getByRole('listitem')
      .filter({ hasText: 'night cluster' });
    await row.getByText(EXECUTES).waitFor();
    await row.getByText('held calls wait 3 days').waitFor();
    await row.scrollIntoViewIfNeeded();

    await goTo(page, '#/setup/connect');
    await door('Environment').getByText(EXECUTES).waitFor();
    await door('Environment').getByText('The key “night cluster” says so.').waitFor();

    await server.call('settings.change', { gateway: { may_act: true } });
    const played = await connect(`${server.gateway.tap.split('/t/')[0] ?? ''}/t/${secret}`);
    await played.reset();
    const [episode] = await until('its episode', async () => {
      const { rows } = await server.call('episodes.page', PAGE);
      const tapped = rows.filter(({ source }) => source === 'tap').map(({ id }) => id);
      return tapped.length === 0 ? null : tapped;
    });
    const rules = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
    await server.call('policy.set', { episode: episode ?? '', rules });
    await new Promise((resolve) => setTimeout(resolve, 300));
    void played.call('get_workflow', { workflow_id: 3, note: 'as it is' }).catch(() => undefined);
    await goTo(page, '#/desk');
    const held = page.getByRole('region', { name: 'Held call' });
    await held.getByText(/the call is EXECUTED unless somebody decides/).waitFor();
    await page.getByRole('option').getByText('Executed if nobody decides').waitFor();
    await expectNoFindings(page, 'a held call that is executed when nobody decides');
    await page.keyboard.press('e');
    await held.getByText('The environment’s tools were not listed').waitFor();
    await held.getByLabel('note').fill('changed');
    await held.getByLabel('Tool').fill('get_workflows');
    await held.getByText('the tool was get_workflow').waitFor();
    played.socket.terminate();
    await held.getByText('the client left before anybody decided').waitFor();
  });
});
