import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import type { StartEpisode } from '../../src/shared/contract/areas.ts';
import {
  card,
  decide,
  draftOf,
  goTo,
  openDetails,
  openPanel,
  startEpisode,
  timeline,
  waitForDraft,
  waitForLive,
  shiftsOf,
  watchShifts,
  write,
} from './console.ts';
import { describeConsoleWith } from './fixture.ts';
import { START, type Server } from './server.ts';

const VIEW = { viewport: { width: 1440, height: 900 } };

describeConsoleWith(VIEW, 'the world, tries, branches and many at once', (app) => {
  let page: Page;
  let server: Server;
  beforeEach(async () => {
    ({ server } = app);
    page = await app.open();
  });

  const start = async (over: Partial<StartEpisode> = {}): Promise<string> =>
    (await server.call('episode.start', { ...START, ...over })).episodes[0] ?? '';
  const tab = (name: string): Promise<void> => openPanel(page, name);
  /** Takes the cover off the state of the world, which marks this seat's advice. */
  const uncover = (): Promise<void> =>
    page.getByRole('button', { name: 'Show the state of the world; your advice will be marked' }).click();
  const world = (): Locator => page.getByRole('region', { name: 'State of the world' });
  const effect = (): Locator => page.getByRole('region', { name: 'What the calls return' });
  const row = (text: string): Locator => timeline(page).locator('article', { hasText: text });
  const cardOf = (id: string): Locator => page.locator(`[data-card="${id}"]`);
  const cards = (): Promise<(string | null)[]> =>
    page.locator('[data-card]').evaluateAll((all) => all.map((one) => one.getAttribute('data-card')));
  const focused = (): Promise<string | null> =>
    page.evaluate(() => document.activeElement?.getAttribute('data-card') ?? null);

  /** An ask on screen with its draft, ready for an act. */
  async function asking(): Promise<string> {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    return id;
  }
  /** The same, answered with its draft and over. */
  async function ended(): Promise<string> {
    const id = await asking();
    await decide(page, 'a');
    await expect.poll(async () => (await server.record(id)).ended?.outcome).toBe('done');
    // The log knows a moment before the page does, and the list a moment before the episode: keys act on the latter.
    await page
      .getByRole('region', { name: 'Control' })
      .getByRole('button', { name: /^Run again(?! with)/ })
      .waitFor();
    return id;
  }

  it('shows the tables of a running world, follows its calls, and marks what each call changed', async () => {
    const id = await asking();
    await tab('World');
    expect(await page.getByRole('button', { name: 'workflows', exact: true }).count()).toBe(0);
    await uncover();
    await world().getByText('Current state, updated after every call.').waitFor();
    await world().getByText('No changes since the start').waitFor();
    await world().getByRole('button', { name: 'workflows', exact: true }).click();
    const table = page.getByRole('region', { name: 'Table workflows' });
    await table.getByText(/^1–\d+ of \d+$/).waitFor();
    const rows = table.getByRole('group', { name: 'Rows of workflows' });
    await rows.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => rows.locator('[aria-selected="true"]').count()).toBe(1);
    await table.getByRole('button', { name: 'Tables' }).click();

    await page.keyboard.press('v');
    await decide(page, 'a');
    await expect.poll(async () => (await server.record(id)).ended?.outcome).toBe('done');
    await tab('World');
    await world()
      .getByText(/^After turn \d+, rebuilt by replaying \d+ calls\. All results matched the log\.$/)
      .waitFor();
    await world()
      .getByText(/rows? changed since the start/)
      .waitFor();
    const changing = row('set_workflow_status').last();
    await changing.locator('[data-row-head]').click();
    await changing
      .getByRole('button', { name: 'Show what this call changed; your advice will be marked' })
      .click();
    await changing.getByText(/^What this call changed: \d+ rows?$/).waitFor();
    await changing.locator('summary code').first().waitFor();
  });

  it('rebuilds the state at the turn a replay stands at, and says so, and what changed until the end', async () => {
    const id = await ended();
    const events = await server.events(id);
    const reset = events.find(({ event }) => event.kind === 'environment.reset');
    await goTo(page, `#/episode/${id}?n=${String((reset?.n ?? 0) + 1)}`);
    await tab('World');
    await uncover();
    await world().getByText('At the start, rebuilt.').waitFor();
    await world().getByText('No changes since the start').waitFor();

    await goTo(page, `#/episode/${id}?n=${String(events.length)}`);
    await world()
      .getByText(/^After turn \d+, rebuilt/)
      .waitFor();
    await world()
      .getByText(/rows? changed since the start/)
      .waitFor();
    const end = page.getByRole('region', { name: 'The world at the end' });
    await end.getByRole('button', { name: /^Show what changed in the world/ }).click();
    await end.getByText(/^Changed in the world: \d+ rows?/).waitFor();
  });

  it('shows what the calls of a draft return without asking, and nothing of it in the episode', async () => {
    const id = await asking();
    await effect()
      .getByText(/^\d+ of \d+ calls? runs?\.$/)
      .waitFor();
    const shown = await effect().innerText();
    expect(shown).not.toMatch(/It works|accepted|It would change|Changes in the world:/);
    expect(shown).toContain('nothing reached the episode');
    await card(page)
      .getByText(/: status active/)
      .first()
      .click();
    await card(page).locator('details[open]').getByText('Result as the agent reads it').waitFor();
    await effect()
      .getByRole('button', { name: 'Show what changes in the world; your advice will be marked' })
      .waitFor();
    expect((await server.record(id)).turns.at(-1)?.move?.type).toBe('ask_expert');

    await decide(page, 'a');
    await expect.poll(async () => (await server.record(id)).ended?.reward_type).toBe('complete');
    const { previews, counts } = await server.record(id);
    expect(previews).toMatchObject([{ verdict: null, privilege: [], drift: [] }]);
    expect(previews[0]?.shown_to).toBeDefined();
    // The answer, and not the effect that was shown with it.
    expect(counts.humanActs).toBe(1);
  });

  it('tries what is typed once the person pauses, and keeps changes and the verdict behind covers that mark', async () => {
    const id = await asking();
    await write(page, 'Just stop here.');
    await expect.poll(() => effect().count()).toBe(0);
    await write(page, 'get_workflow({"workflow_id": 999999})');
    await effect().getByText('This call would fail.').waitFor();
    // What neither the episode nor a tool names is named by the state, once its cover is off.
    await write(page, 'list_steps({"workflow_id": 101, "connection_id": 201})');
    await effect().getByText('1 of 1 call runs.').waitFor();
    expect(await effect().innerText()).not.toContain('Ledgerly head office');
    await effect()
      .getByRole('button', { name: 'Show what changes in the world; your advice will be marked' })
      .click();
    await effect().getByText('Ledgerly head office').waitFor();
    await write(page, await draftOf(server, id));
    await effect()
      .getByText(/^\d+ of \d+ calls? runs?\.$/)
      .waitFor();
    await effect()
      .getByRole('button', { name: 'Show what changes in the world; your advice will be marked' })
      .click();
    await effect()
      .getByText(/^Changes in the world: \d+ rows?$/)
      .waitFor();
    await effect()
      .getByRole('button', { name: 'Show the verifier’s opinion; your advice will be marked' })
      .click();
    await effect().getByText('The verifier would say: complete.', { exact: true }).waitFor();
    await decide(page);
    await expect.poll(async () => (await server.record(id)).consultations[0]?.decision).not.toBeNull();

    const [consultation] = (await server.record(id)).consultations;
    expect(consultation?.decision).toMatchObject({
      privilege: expect.arrayContaining(['verdict', 'hidden_state']),
    });
  });

  it('shows what a held call returns, and tries another one in its place from the details of a turn', async () => {
    const rules = [{ glob: '*', argument: null, does: 'ask' as const, count: null }];
    const id = await start({ condition: 'none', approval: { rules, deadline_ms: null, fallback: 'wait' } });
    await goTo(page, `#/episode/${id}`);
    const held = page.getByRole('region', { name: 'Held call' });
    await held.getByText('This call would fail.').waitFor();
    await held
      .getByRole('button', { name: 'Show what changes in the world; your advice will be marked' })
      .click();
    await held.getByText('Changes in the world: 0 rows').waitFor();
    expect((await server.record(id)).turns[0]?.call?.sent ?? null).toBeNull();
    await decide(page, 'a');
    await expect.poll(async () => (await server.record(id)).turns.length).toBeGreaterThan(1);

    const first = row('set_workflow_status').first();
    await first.locator('[data-row-head]').click();
    await first.getByText('Try another call here').click();
    await first.getByRole('button', { name: 'JSON' }).click();
    await first.getByLabel('Arguments as JSON').fill('{"workflow_id": 101, "status": "active"}');
    await first.getByRole('button', { name: 'Try the call first' }).click();
    await first.getByText('1 of 1 call runs.').waitFor();
  });

  it('forks after the chosen step with one key: copies marked, fidelity stated, a link each way', async () => {
    const id = await ended();
    await row('set_workflow_status').first().locator('[data-row-head]').click();
    await page.keyboard.press('f');
    const fork = await waitForLive(page, id);
    await page.getByText('Forked after turn 1').waitFor();
    await openDetails(page);
    await page.getByText(/^Forked from/).waitFor();
    await page.getByText(/turns to 1 copied; 1 call replayed, without drift\./).waitFor();
    // The one turn; the technical steps are folded.
    await expect.poll(() => timeline(page).getByText('copied', { exact: true }).count()).toBe(1);
    expect((await server.record(fork)).forked).toMatchObject({ from: id, from_turn: 1, drift: [] });

    await page.getByRole('link', { name: id }).first().click();
    // The header of the other episode is folded.
    await page.locator('header h1 button[aria-expanded="false"]').first().waitFor();
    await openDetails(page);
    await page.getByText('1 episode continues from here:').waitFor();
    await page.getByRole('link', { name: fork }).click();
    await page.waitForURL((url) => url.hash === `#/episode/${fork}`);
  });

  it('says what the agent made of the advice, on its line and over the timeline', async () => {
    const id = await ended();
    await row('Draft accepted')
      .getByText(/^followed/)
      .waitFor();
    await openDetails(page);
    await page.getByText('advice: 1 followed').waitFor();
    // The agent of this episode has one turn left after its question: of the draft's calls it can make one.
    const short = await start({ limits: { turns: 5 } });
    await goTo(page, `#/episode/${short}`);
    await waitForDraft(page);
    await decide(page, 'a');
    await row('Draft accepted')
      .getByText(/^followed in part: 1 of \d calls$/)
      .waitFor();
    await openDetails(page);
    await page.getByText('advice: 1 partly').waitFor();
    await expect.poll(async () => (await server.record(short)).ended?.outcome).toBe('limit');
    expect(id).not.toBe(short);
  });

  it('starts the same again, and the next task, from what the log says', async () => {
    const id = await ended();
    await page.keyboard.press('R');
    const again = await waitForLive(page, id);
    await expect.poll(async () => (await server.record(again)).consultations.length).toBe(1);
    const [one, two] = [await server.record(id), await server.record(again)];
    expect({ ...two.started, prompt_sha256: null }).toEqual({ ...one.started, prompt_sha256: null });

    await goTo(page, `#/episode/${id}`);
    await page.getByRole('button', { name: /^Next task/ }).click();
    const next = await waitForLive(page, id, again);
    await expect.poll(async () => (await server.record(next)).started?.task_idx).toBe(1);
  });

  it('does nothing by a single letter where the person turned those off, also after a reload', async () => {
    await goTo(page, '#/setup/advanced');
    const plainKeys = page.getByRole('checkbox', { name: /^Single-letter keys/ });
    await plainKeys.uncheck();
    await page.reload();
    await plainKeys.waitFor();
    expect(await plainKeys.isChecked()).toBe(false);

    const dialog = page.getByRole('dialog', { name: 'Start an episode' });
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('s');
    expect(await dialog.count()).toBe(0);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    await page.keyboard.press('Escape');

    await plainKeys.check();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('s');
    await dialog.waitFor();
  });

  it('has every act of the screen in the palette', async () => {
    await asking();
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    for (const [words, act] of [
      ['accept the draft', /^Accept the draft, approve the call Questions/],
      ['fork', /^Fork here Episodes/],
      ['take over', /^Take over or hand back Episodes/],
    ] as const) {
      await palette.getByPlaceholder(/^Type a command/).fill(words);
      await palette.getByRole('option', { name: act }).waitFor();
    }
    await palette.getByPlaceholder(/^Type a command/).fill('interject a note');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Interject a note' }).waitFor();
  });

  // 64 sessions of the world are a minute's work for a machine that is busy with others.
  it(
    'shows 64 live episodes as cards that do not move: readable as text, gone through by key, opened by Enter',
    { timeout: 300_000 },
    async () => {
      const first = await start();
      await goTo(page, '#/episodes');
      await page.getByRole('button', { name: 'Cards' }).click();
      const all = page.getByRole('main', { name: 'Episodes' });
      await cardOf(first).waitFor();
      await watchShifts(page);
      await server.call('episode.start', { ...START, repeats: 63 });
      await all.getByText(/64 waiting/).waitFor({ timeout: 240_000 });
      const places = await cards();
      expect(places[0]).toBe(first);
      await server.call('episode.stop', { episode: places[1] ?? '', reason: null });
      await all.getByText(/63 waiting .* 1 finished/).waitFor();
      // Who ended stays where it was, and nothing jumped while 64 began, asked and one ended.
      expect(await cards()).toEqual(places);
      expect(await shiftsOf(page)).toBeLessThan(0.05);
      await all.getByRole('button', { name: 'Clear 1 finished' }).click();
      await expect.poll(cards).toEqual(places.filter((_, at) => at !== 1));
      await cardOf(first).focus();
      await expect
        .poll(() => cardOf(first).innerText())
        .toMatch(/Waiting[\s\S]*\d\s+errors?\s+turn\s+\d+\/15/);
      expect(await cardOf(first).getByRole('img').getAttribute('aria-label')).toMatch(/turns?, .*question/);
      await page.keyboard.press('j');
      await expect.poll(focused).toBe(places[2]);
      await page.keyboard.press('k');
      await expect.poll(focused).toBe(first);
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.hash === `#/episode/${places[2] ?? ''}`);
      await goTo(page, '#/episodes');
      await cardOf(first).waitFor();
    },
  );
});

describeConsoleWith(VIEW, 'an interrupted episode', (app) => {
  it('is gone on with after the server was killed, from its list line and its head', async () => {
    const page = await app.open();
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await app.kill();
    await app.restart(['--no-go-on']);
    await page.getByText('Interrupted').first().waitFor();
    await page
      .getByRole('button', { name: /^Resume/ })
      .first()
      .click();
    const resumed = await waitForLive(page, id);
    await openDetails(page);
    await page.getByText(/^Continues from .+ without drift\./).waitFor();
    await waitForDraft(page);
    await decide(page, 'a');
    await expect.poll(async () => (await app.server.record(resumed)).ended?.reward_type).toBe('complete');
    await goTo(page, '#/episodes');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
  });
});
