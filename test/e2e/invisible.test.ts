// Characters that cannot be seen carry a mark wherever a person reads or writes; what is sent is what was marked.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serveEnvironment } from '../support/flow.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { card, decide, goTo, startEpisode, timeline, waitForDraft, write } from './console.ts';
import { describeConsole } from './fixture.ts';
import { START, type Server } from './server.ts';

const TIMING = { first_seen_at: null, active_ms: null };
const HIDDEN = 'Rename 101\u202E201\u202C, never\u200B the other \u{E0068}\u{E0069}\u{E0021}\u{E0021}';

describeConsole('what cannot be seen', (app) => {
  let page: Page;
  let server: Server;
  beforeEach(async () => {
    ({ server } = app);
    page = await app.open();
  });
  const marks = () => card(page).locator('.cm-invisible');
  const decided = async (id: string) => (await server.record(id)).consultations[0]?.decision;
  it('is marked in the editor, and sent exactly as it is marked', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await write(page, HIDDEN);

    await card(page).getByText('7 invisible characters are marked and would be sent.').waitFor();
    await expect.poll(() => marks().allTextContents()).toEqual(['RLO', 'PDF', 'ZWSP', '4 hidden: “hi!!”']);
    await decide(page);

    await expect.poll(() => decided(id)).toMatchObject({ type: 'approved', text: HIDDEN });
  });

  it('goes with one key, and comes back with an undo', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await write(page, HIDDEN);
    await marks().first().waitFor();
    await page.keyboard.press('Alt+i');
    await expect.poll(() => marks().count()).toBe(0);
    await page.keyboard.press('ControlOrMeta+z');
    await expect.poll(() => marks().count()).toBe(4);
    await page.keyboard.press('Alt+i');
    await expect.poll(() => marks().count()).toBe(0);
    await decide(page);

    await expect
      .poll(() => decided(id))
      .toMatchObject({ type: 'approved', text: 'Rename 101201, never the other ' });
  });

  it('is marked where a text is read, which stays what it is', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await server.call('note.send', { episode: id, text: HIDDEN, timing: TIMING });
    await server.call('episode.stop', { episode: id, reason: null });
    await goTo(page, `#/episode/${id}`);
    const line = timeline(page).locator('article', { hasText: 'Rename 101' }).first();
    await line.waitFor();

    await line.locator('[data-mark="RLO"]').first().waitFor();
    await line.locator('[data-row-head]').click();
    const whole = line.locator('pre').first();
    expect(await whole.evaluate((pre) => pre.textContent)).toBe(HIDDEN);
  });
});

const ARABIC = `أوقف الملخص الأسبوعي للموردين في مجلد المالية\u200B، ثم أعد تشغيله يوم الاثنين بعد أن تتأكد من أن أحدا لا يحتاج إليه قبل ذلك. `;
const CHINESE =
  '暂停财务文件夹中的每周供应商摘要工作流，并在星期一早上确认没有人需要它之后重新启动，然后通知所有订阅者这项更改。';

describeConsole('a task in another script', (app) => {
  let model: OpenAiServer;
  const closing: (() => void)[] = [];
  const hold = async (name: string, task: string): Promise<string> => {
    const reset = {
      observation: {
        reward_type: 'reset_ok',
        scenario: name,
        task: task.repeat(3),
        task_idx: 0,
        num_tools: 2,
      },
      reward: null,
    };
    const environment = await serveEnvironment({ reset: () => reset });
    closing.push(environment.close);
    const { id } = await app.server.call('environments.add', { name, url: environment.url });
    const { episodes } = await app.server.call('episode.start', {
      ...START,
      environment: id,
      scenario: name,
      condition: 'none',
      agent: { policy: 'chat', protocol: 'native', model: 'm', profile: 'local' },
      approval: {
        rules: [{ glob: '*', argument: null, does: 'ask', count: null }],
        deadline_ms: null,
        fallback: 'wait',
      },
    });
    return episodes[0] ?? '';
  };
  beforeEach(async () => {
    const call = { id: 'a', name: 'find_workflow', arguments: '{"id":1}' };
    model = await startOpenAiServer([{ toolCalls: [call] }, { toolCalls: [call] }]);
    const profile = { provider: 'openai' as const, base_url: model.url, model: 'm', api_version: null };
    await app.server.call('settings.change', { profiles: { save: { name: 'local', ...profile } } });
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) close();
    await model.close();
  });

  it('begins where its script begins, is cut at its end, and marks what cannot be seen in it', async () => {
    const page = await app.open();
    await hold('arabic', ARABIC);
    await hold('chinese', CHINESE);
    const lines = page.getByRole('listbox', { name: 'Waiting questions' }).getByRole('option');
    await expect.poll(() => lines.count()).toBe(2);
    const arabic = lines.locator('[dir="auto"]', { hasText: 'أوقف' }).first();
    const chinese = lines.locator('[dir="auto"]', { hasText: '暂停' }).first();

    expect(await arabic.locator('[data-mark="ZWSP"]').count()).toBeGreaterThan(0);
    expect(await arabic.evaluate(startOf)).toEqual({ direction: 'rtl', isAtStart: true, isCut: true });
    expect(await chinese.evaluate(startOf)).toEqual({ direction: 'ltr', isAtStart: true, isCut: true });

    // What waits, held calls too, is found by name in the palette.
    await page.keyboard.press('ControlOrMeta+k');
    const waiting = page.getByRole('dialog').getByRole('group', { name: 'Waiting for you' });
    await waiting
      .getByText(/^Find workflow/)
      .first()
      .waitFor();
    expect(await waiting.getByRole('option').count()).toBe(2);
  });
});

/** In the page: which way a title runs, whether its first character stands at its start, and whether it is cut. */
function startOf(title: Element): { direction: string; isAtStart: boolean; isCut: boolean } {
  const { direction } = getComputedStyle(title);
  const range = document.createRange();
  const first = document.createTreeWalker(title, NodeFilter.SHOW_TEXT).nextNode() ?? title;
  range.setStart(first, 0);
  range.setEnd(first, 1);
  const [letter, whole] = [range.getBoundingClientRect(), title.getBoundingClientRect()];
  const away = direction === 'rtl' ? whole.right - letter.right : letter.left - whole.left;
  const isCut = title.scrollHeight > title.clientHeight || title.scrollWidth > title.clientWidth;
  return { direction, isAtStart: Math.abs(away) < 2, isCut };
}
