import type { Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { foldAll } from '../../src/shared/episode/fold.ts';
import { createReplayer } from '../../src/renderer/views/episode/ReplayedEpisode.tsx';
import { foldTechnical } from '../../src/renderer/parts/timeline/useTimeline.ts';
import { rowsOf } from '../../src/shared/timeline/rows.ts';
import {
  card,
  decide,
  draftOf,
  editor,
  editorText,
  goTo,
  startEpisode,
  stepLines,
  stepNames,
  timeline,
  verdict,
  waitForDraft,
  write,
} from './console.ts';
import { describeConsole } from './fixture.ts';
import type { Server } from './server.ts';

describeConsole('a person answers ask_expert in a running episode', (app) => {
  let server: Server;
  let page: Page;
  beforeEach(async () => {
    ({ server } = app);
    page = await app.open();
  });

  it('errs and asks; the person edits the draft; the agent follows the edit and the verifier says complete', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    const draft = await draftOf(server, id);
    await expect.poll(() => editorText(page)).toContain('"plan"');
    await expect.poll(() => stepNames(page)).toContain('Waiting for an expert');

    // The reference is right here; the person puts it in their own words, one call a line.
    const { plan } = JSON.parse(draft) as { plan: { tool: string; args: object }[] };
    const words = plan.map(({ tool, args }) => `${tool}(${JSON.stringify(args)})`).join('\n');
    await write(page, `Look it up first, then change it.\n${words}`);
    await page.getByText(`Reads as ${String(plan.length)} calls`).waitFor();
    await decide(page);

    await verdict(page).filter({ hasText: 'Complete reward 1' }).waitFor();
    const record = await server.record(id);
    const [consultation] = record.consultations;
    expect(consultation?.decision).toMatchObject({ type: 'approved', act: 'edit', actor: { type: 'human' } });
    expect(consultation?.delivered?.text).toContain('Look it up first');
    const after = record.turns.filter((turn) => turn.turn > (consultation?.turn ?? 0));
    expect(after.flatMap(({ call }) => call?.sent?.toolName ?? [])).toEqual(plan.map(({ tool }) => tool));
    await expect
      .poll(() => stepNames(page))
      .toEqual(expect.arrayContaining(['Draft edited', 'The verifier says complete']));
  });

  it('measures how long the person looked, and when they first did', async () => {
    await page.clock.install();
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    // Ten minutes, of which the first half minute counts: then the person is taken to be elsewhere.
    await page.clock.fastForward(600_000);
    await page.mouse.move(400, 400);
    await decide(page, 'a');
    await verdict(page).waitFor();

    const { consultations } = await server.record(id);
    const decision = consultations[0]?.decision;
    const timing = decision?.type === 'approved' ? decision.timing : null;
    expect(timing?.first_seen_at).toBeGreaterThanOrEqual(consultations[0]?.askedAt ?? 0);
    expect(timing?.active_ms).toBeGreaterThanOrEqual(30_000);
    expect(timing?.active_ms).toBeLessThan(600_000);
  });

  it('sends a wrong draft as it is and is told that it does not complete; edited, the same task completes', async () => {
    await startEpisode(page, 1, 'Human with a draft');
    await waitForDraft(page);
    await decide(page, 'a');
    await verdict(page).filter({ hasText: 'Failed reward 0' }).waitFor();

    const id = await startEpisode(page, 1, 'Human with a draft');
    await waitForDraft(page);
    const { reference } = await server.call('answer_key.show', { episode: id });
    expect(reference).not.toBe(await draftOf(server, id));
    await write(page, reference ?? '');
    await card(page).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Show your changes' }).click();
    await card(page).locator('.cm-deletedChunk, .cm-changedText').first().waitFor();
    await page.getByRole('button', { name: /^Send/ }).click();

    await verdict(page).filter({ hasText: 'Complete reward 1' }).waitFor();
  });

  it('replays from the log what was seen live, record for record and line for line', async () => {
    const id = await startEpisode(page, 0, 'Human with a draft');
    await waitForDraft(page);
    await decide(page, 'a');
    await verdict(page).waitFor();
    await timeline(page).getByText('Ended').waitFor();
    const live = await stepLines(page);

    await page.getByRole('button', { name: 'Replay' }).click();
    const slider = page.getByRole('slider', { name: 'Position in the episode' });
    await slider.waitFor();

    const events = await server.events(id);
    const whole = foldAll(id, events);
    const replayer = createReplayer(id, events);
    expect(replayer.at(events.length)).toEqual(whole);
    await expect.poll(() => slider.getAttribute('max')).toBe(String(events.length));
    await expect.poll(() => stepLines(page)).toEqual(live);

    const asked = events.find(({ event }) => event.kind === 'consultation.asked')?.n ?? 0;
    await goTo(page, `#/episode/${id}?n=${String(asked)}`);
    await timeline(page).getByText('Waiting for an expert').waitFor();
    const names = foldTechnical(rowsOf(foldAll(id, events.slice(0, asked))), () => false, new Set()).map(
      ({ name }) => name,
    );
    await expect.poll(() => stepNames(page)).toEqual(names);

    await page.keyboard.press('.');
    await expect.poll(() => slider.inputValue()).not.toBe(String(asked));
    await page.keyboard.press('>');
    await page.keyboard.press('<');
    await expect.poll(() => slider.inputValue()).not.toBe(String(events.length));
  });

  it('shows what the person wrote as text, whatever it looks like', async () => {
    await startEpisode(page, 0, 'Human');
    await editor(page).waitFor();
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script> **bold**';
    await write(page, hostile);
    await decide(page);
    await timeline(page).getByText('Advice written').first().waitFor();
    await timeline(page).getByText('Advice written').first().click();

    await timeline(page).getByText(hostile).first().waitFor();
    // The editor has empty images of its own, as rests for the cursor.
    expect(await page.locator('img:not(.cm-widgetBuffer)').count()).toBe(0);
    expect(await page.title()).not.toMatch(/^[12]$/);
  });
});
