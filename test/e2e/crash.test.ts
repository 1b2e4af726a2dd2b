import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serveEnvironment } from '../support/flow.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { expectNoFindings } from './axePage.ts';
import {
  card,
  decide,
  editor,
  editorText,
  goTo,
  startEpisode,
  stepNames,
  waitForDraft,
  write,
} from './console.ts';
import { describeConsole } from './fixture.ts';
import { START, type Server } from './server.ts';

describeConsole('a server that dies', (app) => {
  let page: Page;
  beforeEach(async () => {
    page = await app.open();
  });

  it('right after "send" has lost nothing: the same episode goes on, and its agent gets the advice once', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    // The agent stays where it is when it has its answer, however late this test hears of it.
    const stop = { at_once: false, reason: null, note: null, is_discarded: false };
    await app.server.call('episode.control', { episode: id, act: 'pause', ...stop });
    const answered = answerHeard(app.server, id);
    await decide(page, 'a');
    await answered;
    await app.kill();

    await app.restart();
    await expect.poll(async () => (await app.server.record(id)).restarts[0]?.wentOn?.drift).toBeNull();
    // Who had paused it has not let it go on yet.
    expect((await app.server.record(id)).phase).toBe('paused');
    await expect.poll(() => stepNames(page)).toEqual(expect.arrayContaining(['Draft accepted']));
    await page.getByText('Went on after a restart').first().waitFor();
    await app.server.call('episode.control', { episode: id, act: 'resume', ...stop });
    await app.ended(id);
    const events = await app.server.events(id);
    expect(events.filter(({ event }) => event.kind === 'advice.delivered')).toHaveLength(1);
    expect((await app.server.record(id)).ended?.outcome).toBe('done');
  });

  it('while a person writes keeps their words and the question, and the page finds the server again by itself', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await write(page, 'Written before the crash');
    await app.kill();
    await page
      .getByText(/^No connection/)
      .first()
      .waitFor();
    await page.keyboard.type(', and after it');

    await app.restart();
    await page.getByText('Went on after a restart').first().waitFor();
    // What says so over the episode leaves room for what can be done about it.
    const control = page.getByRole('region', { name: 'Control' });
    await control.getByText('Restarted').waitFor();
    expect(await control.getByRole('button', { name: 'Stop', exact: true }).isVisible()).toBe(true);
    await editor(page).waitFor();
    await expect.poll(() => editorText(page)).toContain('Written before the crash, and after it');
    await goTo(page, '#/desk');
    await page
      .getByRole('option', { name: /restarted/ })
      .first()
      .waitFor();
    await goTo(page, `#/episode/${id}`);
    await decide(page);
    await expect
      .poll(async () => (await app.server.record(id)).consultations[0])
      .toMatchObject({ decision: { type: 'approved' }, delivered: { as: 'advice' } });
  });
});

describeConsole('a server that is stopped in order', (app) => {
  it('says on the desk what was stopped, beside the questions that wait, and goes on with all at a word', async () => {
    const episodes = await Promise.all([0, 1, 2].map((task_idx) => app.ask({ task_idx })));
    await expect.poll(async () => (await app.server.desk()).length).toBe(3);
    await app.server.stop();

    await app.restart();
    const page = await app.open();
    await page.getByRole('heading', { name: '3 episodes were stopped when Interject closed' }).waitFor();
    expect(await app.server.desk()).toHaveLength(3);
    await expectNoFindings(page, 'episodes that were stopped');

    await page.keyboard.press('Shift+U');
    for (const id of episodes)
      await expect.poll(async () => (await app.server.record(id)).restarts[0]?.wentOn?.drift).toBeNull();
    expect(await app.server.desk()).toHaveLength(3);
  });
});

describeConsole('a question of an episode that was stopped', (app) => {
  it('says to an expert that the answer is kept for when the episode goes on, and what becomes of it', async () => {
    const ids = await Promise.all([0, 1].map((task_idx) => app.ask({ task_idx, condition: 'human' })));
    await expect.poll(async () => (await app.server.desk()).length).toBe(2);
    await app.server.stop();
    await app.restart();

    const expert = await app.openSeat('Ada');
    const first = await stoppedCard(expert);
    await write(expert, 'Look at the newest order');
    await decide(expert);
    await expert.getByText('The episode is stopped: the agent reads it once it goes on.').waitFor();
    // Of the other the owner lets it be: its question is over, and says so.
    await expert.getByRole('button', { name: 'Next' }).click();
    const other = await stoppedCard(expert);
    expect([first, other].toSorted()).toEqual(ids.toSorted());
    await app.server.call('episode.settle', { episode: other, act: 'end' });
    await card(expert).getByText('The question was cancelled').waitFor();

    await app.server.call('episode.settle', { episode: first, act: 'go_on' });
    await expect
      .poll(async () => (await app.server.record(first)).consultations[0]?.delivered?.as)
      .toBe('advice');
  });

  /** Waits until the card in front says that nothing runs; the id of its episode. */
  async function stoppedCard(page: Page): Promise<string> {
    await card(page).getByText('This episode is stopped. Your answer is kept for when it goes on.').waitFor();
    expect(await card(page).getByText('The agent waits until someone answers').count()).toBe(0);
    const consultation = await card(page).getAttribute('data-consultation');
    return (await app.server.desk()).find((item) => item.consultation === consultation)?.episode ?? '';
  }
});

describeConsole('a server that dies and does not go on', (app) => {
  it('says to everybody at the desk what was stopped and lost, until each has put it away', async () => {
    await Promise.all([0, 1].map((task_idx) => app.ask({ task_idx, condition: 'human' })));
    await expect.poll(async () => (await app.server.desk()).length).toBe(2);
    const expert = await app.openSeat('Ada');
    await app.kill();

    await app.restart(['--no-go-on']);
    const owner = await app.open();
    await expert.getByText('Interject was interrupted').waitFor();
    await expert.reload();
    for (const page of [owner, expert]) {
      await page
        .getByText('2 episodes were stopped when Interject closed, and 2 questions were lost')
        .waitFor();
      expect(await page.getByText('You’re all caught up').count()).toBe(0);
    }
    await expectNoFindings(owner, 'what was lost');

    await owner.getByRole('button', { name: 'Dismiss' }).click();
    await owner.getByText('You’re all caught up').waitFor();
    await owner.reload();
    await owner.getByText('You’re all caught up').waitFor();
    expect(await expert.getByRole('button', { name: 'Dismiss' }).count()).toBe(1);
  });
});

describeConsole('a server that dies while an environment of another owner plays', (app) => {
  let model: OpenAiServer;
  let environment: Awaited<ReturnType<typeof serveEnvironment>>;
  beforeEach(async () => {
    const made = [
      { toolCalls: [{ id: 'a', name: 'find_workflow', arguments: '{"id":1}' }] },
      { toolCalls: [{ id: 'b', name: 'rename_workflow', arguments: '{"id":2}' }] },
    ];
    model = await startOpenAiServer(
      ({ messages }) =>
        made[(messages as { role: string }[]).filter(({ role }) => role === 'assistant').length] ?? {
          content: 'I cannot say whether it is renamed.',
        },
    );
    environment = await serveEnvironment({ rename_workflow: () => 'hang' });
  });
  afterEach(async () => {
    environment.close();
    await model.close();
  });

  it('lets the person say whether its episode goes on, and what becomes of the call whose answer was lost', async () => {
    const { id } = await app.server.call('environments.add', { name: 'Mine', url: environment.url });
    const profile = { provider: 'openai' as const, base_url: model.url, model: 'm', api_version: null };
    await app.server.call('settings.change', { profiles: { save: { name: 'local', ...profile } } });
    const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'm', profile: 'local' };
    const start = { ...START, environment: id, scenario: 's_1', condition: 'none' as const, agent };
    const { episodes } = await app.server.call('episode.start', start);
    const episode = episodes[0] ?? '';
    await expect
      .poll(async () => (await app.server.record(episode)).turns.at(-1)?.call?.sent?.toolName)
      .toBe('rename_workflow');
    await app.kill();
    await app.restart();
    const page = await app.open();

    await page.getByRole('heading', { name: '1 episode was stopped when Interject closed' }).waitFor();
    await page.keyboard.press('Shift+U');
    await page.getByRole('heading', { name: 'Was this call carried out?' }).waitFor();
    await page.getByRole('button', { name: 'Send it again' }).waitFor();
    await expectNoFindings(page, 'a call in doubt');
    await page.keyboard.press('Shift+D');

    await app.ended(episode);
    expect(environment.calls.map(({ tool }) => tool)).toEqual([
      'find_workflow',
      'rename_workflow',
      'find_workflow',
      'verify',
      'done',
    ]);
    await page.getByText('Not sent again; the agent is told').first().waitFor();
  });
});

/** Resolves as soon as the answer is in the log. */
async function answerHeard(server: Server, episode: string): Promise<void> {
  for (;;) {
    const events = await server.events(episode);
    if (events.some(({ event }) => event.kind === 'advice.approved')) return;
  }
}

describeConsole('a data folder that was made elsewhere', (app) => {
  it('asks one question above everything, and starts without what came with it', async () => {
    await app.ask();
    await app.server.call('invites.create', { label: 'Ada' });
    await app.server.call('environments.add', { name: 'Elsewhere', url: 'https://elsewhere.example/env' });
    const limits = { environment: null, per_minute: null, at_once: null };
    await app.server.call('keys.create', { name: 'laptop', scopes: ['console'], ...limits });
    await app.server.stop();
    // As a backup leaves it.
    rmSync(join(app.server.folder, 'interject.owner'));

    await app.restart();
    const page = await app.open();
    const question = page.getByRole('region', { name: /was not made by you on this computer/ });
    await question.getByText('1 invite').waitFor();
    await page.getByRole('heading', { name: '1 episode is stopped' }).waitFor();
    await expectNoFindings(page, 'what came with a data folder');

    await question.getByRole('button', { name: 'Start without them' }).click();
    await question.waitFor({ state: 'detached' });
    expect((await app.server.call('access.list', {})).invites).toEqual([]);
    expect((await app.server.call('environments.list', {})).environments).toHaveLength(1);
  });
});
