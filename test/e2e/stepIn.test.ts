import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import type { ApprovalRule } from '../../src/shared/events/stepIns.ts';
import {
  chooseAdvice,
  decide,
  goTo,
  openPanel,
  pressStart,
  settle,
  stepNames,
  taskOption,
  timeline,
} from './console.ts';
import { describeConsoleWith } from './fixture.ts';
import { START, type Server } from './server.ts';

const ASK_ALL: ApprovalRule[] = [{ glob: '*', argument: null, does: 'ask', count: null }];

describeConsoleWith({ viewport: { width: 1440, height: 900 } }, 'stepping in', (app) => {
  let server: Server;
  let page: Page;
  beforeEach(async () => {
    ({ server } = app);
    page = await app.open();
  });

  const held = (): Locator => page.getByRole('region', { name: 'Held call' });
  const control = (): Locator => page.getByRole('region', { name: 'Control' });
  const header = (): Locator => page.locator('header').filter({ has: page.locator('h1') });
  const composer = (): Locator => page.getByRole('region', { name: 'Your move' });
  const record = (id: string) => server.record(id);

  /** A rehearsal episode whose calls wait, on screen with its first call held. */
  async function openHeld(
    rules: ApprovalRule[] = ASK_ALL,
    deadline_ms: number | null = null,
  ): Promise<string> {
    const { episodes } = await server.call('episode.start', {
      ...START,
      condition: 'none',
      approval: { rules, deadline_ms, fallback: deadline_ms === null ? 'wait' : 'reject' },
    });
    const id = episodes[0] ?? '';
    await goTo(page, `#/episode/${id}`);
    await held().getByText('The call as it is: set_workflow_status').waitFor();
    await settle(page);
    return id;
  }
  const approve = async (): Promise<void> => {
    await decide(page, 'a');
  };

  it('approves a held call with one key, and lets similar ones through with another', async () => {
    const id = await openHeld();
    await held().getByText('This call needs approval (rule: every call).').waitFor();
    await held().getByText('No deadline. The agent waits until someone decides.').waitFor();
    await decide(page, 'a');
    await page.getByText('Call approved', { exact: true }).first().waitFor();
    await held().getByText('turn 2 of').waitFor();
    await decide(page, 'A');

    await expect.poll(async () => (await record(id)).turns[1]?.call?.decision?.type).toBe('approved');
    await expect
      .poll(async () => (await record(id)).rules[0])
      .toMatchObject({ glob: 'set_workflow_status', does: 'auto' });
  });

  it('takes a decision back, and says in the same place what a call or a stop came to', async () => {
    page = await app.open(30_000);
    const id = await openHeld([{ glob: '*', argument: null, does: 'first', count: 1 }]);
    const messages = page.getByRole('region', { name: 'Messages' });
    await page.keyboard.press('Space');
    await header().getByText('Paused').waitFor();
    await decide(page, 'a');
    await held()
      .getByText(/^Approving set workflow status for “/)
      .waitFor();
    await page.keyboard.press('u');
    await held()
      .getByRole('button', { name: /^Approve/ })
      .waitFor();
    expect((await record(id)).turns[0]?.call?.decision).toBeNull();
    await decide(page, 'a');
    await held()
      .getByRole('button', { name: /^Send now/ })
      .click();
    await held()
      .getByText(/^Call approved\. It failed: /)
      .waitFor();

    await goTo(page, '#/desk');
    const stopped = page.getByRole('region', { name: 'Stopped episode' });
    await stopped.getByRole('button', { name: /^Resume/ }).waitFor();
    await page.keyboard.press('Space');
    await stopped.getByText(/^Resuming “/).waitFor();
    await page.keyboard.press('u');
    await stopped.getByRole('button', { name: /^Resume/ }).click();
    expect((await record(id)).phase).toBe('paused');
    await stopped.getByRole('button', { name: /^Send now/ }).click();
    await stopped.getByText(/^Resumed\. .*Task /).waitFor();
    expect(await messages.getByText(/approved|Resumed/).count()).toBe(0);
    await page.keyboard.press('n');
    await page.getByText('You’re all caught up').waitFor();
  });

  it('edits the arguments in a form made from the schema, checks them there, and keeps them over a reload', async () => {
    const id = await openHeld();
    await page.keyboard.press('e');
    const number = held().getByLabel(/^workflow_id/);
    await expect.poll(() => number.evaluate((element) => element === document.activeElement)).toBe(true);
    await held().getByText('Must be a whole number').waitFor();
    await decide(page);
    await held().getByRole('alert').filter({ hasText: 'The call is not decided yet' }).waitFor();
    expect((await record(id)).turns[0]?.call?.decision).toBeNull();

    await number.fill('101');
    await held()
      .getByLabel(/^status/)
      .selectOption({ label: 'active' });
    await held()
      .getByLabel(/^Why\?/)
      .fill('The tool wants the number');
    // Beside the fields a letter decides nothing: it was meant for them, and the original call is not to go out.
    await held().getByRole('button', { name: 'JSON' }).focus();
    for (const letter of ['a', 'A', 'e', 'r', 'w']) await page.keyboard.press(letter);
    expect(
      await held()
        .getByText(/^Approving/)
        .count(),
    ).toBe(0);
    await page.reload();
    await expect
      .poll(() =>
        held()
          .getByLabel(/^workflow_id/)
          .inputValue(),
      )
      .toBe('101');
    await decide(page);
    await page.getByText('Edited call sent').waitFor();

    await timeline(page).getByText('Proposed: Set the state of workflow Invoice archive sync').waitFor();
    await expect.poll(() => stepNames(page)).toContain('Call edited');
    expect((await record(id)).turns[0]?.call).toMatchObject({
      decision: { type: 'edited', reason: 'The tool wants the number' },
      sent: { arguments: { workflow_id: 101, status: 'active' } },
      returned: { reward_type: 'tool_call_ok' },
    });
  });

  it('swaps the tool, shows what main refuses in place, and sends it unchecked when told to', async () => {
    const id = await openHeld();
    await page.keyboard.press('o');
    const picker = held().getByRole('combobox', { name: 'Tool' });
    await picker.fill('set_schedule');
    await page.keyboard.press('Enter');
    await expect
      .poll(() =>
        held()
          .getByLabel(/^workflow_id/)
          .inputValue(),
      )
      .toBe('Invoice archive sync');
    await held().getByRole('button', { name: 'JSON' }).click();
    await held()
      .getByLabel('Arguments as JSON')
      .fill('{"workflow_id": 101, "cron": "never", "timezone": "Europe/Oslo"}');
    await decide(page);
    await held()
      .getByRole('alert')
      .getByText(/must be five parts with a space between them/)
      .first()
      .waitFor();
    await held().getByRole('button', { name: 'Send unchecked' }).click();

    await expect
      .poll(async () => (await record(id)).turns[0]?.call?.sent)
      .toMatchObject({ toolName: 'set_schedule', arguments: { cron: 'never' } });
  });

  it('answers in the tool’s place, marked as fabricated wherever it shows', async () => {
    const id = await openHeld();
    await page.keyboard.press('w');
    await page.keyboard.insertText('{"workflow_id": 101, "status": "active"}');
    await decide(page);
    await page.getByText('marked as fabricated').first().waitFor();

    await timeline(page).getByText('fabricated result').first().waitFor();
    await timeline(page).getByText('Result written by a person').click();
    await timeline(page).getByRole('region', { name: 'Fabricated result' }).waitFor();
    expect((await record(id)).turns[0]?.call).toMatchObject({ sent: null, decision: { type: 'answered' } });
  });

  it('rejects with a reason typed in place; Escape leaves the field and decides nothing', async () => {
    const id = await openHeld(ASK_ALL, 600_000);
    await held()
      .getByText(/the call is not executed, and the agent reads that nobody approved it in time/)
      .waitFor();
    await page.keyboard.press('r');
    await page.keyboard.insertText('Names are no numbers');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await held()
      .getByRole('button', { name: /^Approve/ })
      .waitFor();
    expect((await record(id)).turns[0]?.call?.decision).toBeNull();

    await page.keyboard.press('r');
    await decide(page);
    await timeline(page).getByText('Call rejected').waitFor();
    expect((await record(id)).turns[0]?.call?.decision).toMatchObject({
      type: 'rejected',
      reason: 'Names are no numbers',
    });
  });

  it('asks what should happen after three rejections in a row, and stops with a reason from the keyboard', async () => {
    const id = await openHeld();
    for (const turn of [1, 2, 3]) {
      await held()
        .getByText(`turn ${String(turn)} of`)
        .waitFor();
      await settle(page);
      await page.keyboard.press('r');
      await page.keyboard.type(`Not that one, ${String(turn)}`);
      await decide(page);
      await expect
        .poll(async () => (await record(id)).turns[turn - 1]?.call?.decision?.type)
        .toBe('rejected');
    }
    await control().getByText('three calls in a row were rejected: tell the agent what to do').waitFor();
    expect(await record(id)).toMatchObject({ phase: 'paused', phaseCause: 'rejections' });
    await page.keyboard.press('Q');
    await page.keyboard.type('It does not listen');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await record(id)).ended?.outcome).toBe('stopped');
    await timeline(page).getByText('It does not listen').first().waitFor();
  });

  it('keeps what was typed when another seat decides first', async () => {
    const id = await openHeld();
    await page.keyboard.press('w');
    await page.keyboard.insertText('My answer, half');
    await server.call('call.decide', {
      act: 'reject',
      episode: id,
      call: 't1',
      seen_seq: 1,
      timing: { first_seen_at: null, active_ms: null },
      reason: 'not this one',
    });

    await held().getByText('Rejected by seat-test').waitFor();
    await held().getByText('Your text was not sent.').waitFor();
    expect(await held().getByLabel('The result, in place of the tool’s').inputValue()).toBe(
      'My answer, half',
    );
    await held().getByRole('button', { name: 'Discard it' }).click();
    await held().getByText('turn 2 of').waitFor();
  });

  it('pauses, steps and resumes with the keyboard, and says who acts', async () => {
    const id = await openHeld([{ glob: '*', argument: null, does: 'first', count: 2 }]);
    await header().getByText('Waiting for approval').waitFor();
    await page.keyboard.press('Space');
    await header().getByText('Paused').waitFor();
    await approve();
    await timeline(page).getByText('Call approved').waitFor();
    await page.keyboard.press('.');
    await held().getByText('turn 2 of').waitFor();
    await approve();
    await control().getByText('one step done').waitFor();
    expect((await record(id)).counts.turns).toBe(2);
    await page.keyboard.press('Space');

    await expect.poll(async () => (await record(id)).ended?.outcome).toBe('done');
    expect((await record(id)).timeline.filter(({ type }) => type === 'phase')).not.toHaveLength(0);
  });

  it('takes over, acts in the agent’s own words with its tools, and hands back with a note', async () => {
    const id = await openHeld();
    await page.keyboard.press('t');
    await composer().getByRole('group', { name: 'The agent’s call is still open' }).waitFor();
    await page.keyboard.press('q');
    await approve();
    await composer().waitFor();
    await composer().getByRole('combobox', { name: 'Tool' }).fill('set_workflow_status');
    await page.keyboard.press('Enter');
    await composer()
      .getByLabel(/^workflow_id/)
      .fill('101');
    await page.keyboard.press('ControlOrMeta+Enter');
    await composer().getByRole('alert').getByText('This is required').first().waitFor();
    await composer()
      .getByLabel(/^status/)
      .selectOption({ label: 'active' });
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect
      .poll(async () => (await record(id)).turns[1]?.call?.returned?.reward_type)
      .toBe('tool_call_ok');
    // The page makes one move at a time: it has to hear of this one before the next.
    await composer().getByRole('region', { name: 'Your last move' }).waitFor();
    await composer().getByRole('button', { name: 'Make this move', disabled: false }).waitFor();

    await page.keyboard.press('Escape');
    await page.keyboard.press('l');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(async () => (await record(id)).turns[2]?.move?.type).toBe('list_tools');
    await expect.poll(() => timeline(page).locator('[data-by-person="true"]').count()).toBeGreaterThan(2);

    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await page.keyboard.insertText('I activated it; subscribe Priya.');
    await page.keyboard.press('ControlOrMeta+Enter');
    await control().getByText('You are acting').waitFor({ state: 'detached' });
    await expect.poll(async () => (await record(id)).notes[0]?.deliveredTurn).toBe(4);
    expect((await record(id)).turns[1]).toMatchObject({ actor: { type: 'human' }, isDiscarded: false });
    await expect.poll(async () => (await record(id)).ended?.outcome).toBe('done');
  });

  it('can discard a correction, which stays in the log, and give the final answer itself', async () => {
    const id = await openHeld();
    await page.keyboard.press('t');
    await composer().waitFor();
    await page.keyboard.press('d');
    await timeline(page).getByText('Held call cancelled').waitFor();
    await page.keyboard.press('l');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect.poll(async () => (await record(id)).turns.length).toBe(2);
    await timeline(page).getByText('List the tools').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await page.getByRole('checkbox', { name: /^Discard my moves/ }).check();
    await page.getByRole('textbox', { name: 'Why discard them' }).fill('a wrong idea');
    await page.keyboard.press('ControlOrMeta+Enter');
    await timeline(page).getByText('Correction discarded').waitFor();
    expect((await record(id)).turns[1]?.isDiscarded).toBe(true);

    await held().getByText('turn 3 of').waitFor();
    await page.keyboard.press('t');
    await composer().waitFor();
    await page.keyboard.press('F');
    await page.keyboard.insertText('Nothing more to do.');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect
      .poll(async () => (await record(id)).ended)
      .toMatchObject({ outcome: 'done', final_answer: 'Nothing more to do.' });
  });

  it('interjects a note, kept over a reload until it is sent, and shows it whole', async () => {
    const id = await openHeld();
    await page.keyboard.press('i');
    await page.keyboard.insertText('Workflow numbers start at 100.');
    await page.reload();
    await held().waitFor();
    await page.keyboard.press('i');
    const words = page.getByRole('textbox', { name: /^Note to the agent/ });
    await expect.poll(() => words.inputValue()).toBe('Workflow numbers start at 100.');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByText('Note sent').waitFor();
    await timeline(page).getByText('Note to the agent').click();
    await timeline(page).getByRole('region', { name: 'Full note' }).waitFor();

    await approve();
    await expect.poll(async () => (await record(id)).notes[0]?.deliveredTurn).toBe(2);
  });

  it('sets breakpoints and approval rules from the keyboard while the episode runs', async () => {
    const id = await openHeld();
    await page.keyboard.press('b');
    const focused = page.locator('[data-first-field="breakpoint"]');
    await expect.poll(() => focused.evaluate((element) => element === document.activeElement)).toBe(true);
    await focused.selectOption({ label: 'At the final answer' });
    await page.getByRole('button', { name: 'Set the breakpoint' }).press('Enter');
    await page.getByRole('list', { name: 'Breakpoints' }).getByText('Stops at the final answer').waitFor();
    await page.getByLabel('Which calls need approval').selectOption({ label: 'Reads go through' });
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(async () => (await record(id)).rules).toHaveLength(5);
    await page.getByLabel('Which calls need approval').selectOption({ label: 'No approvals' });
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(async () => (await record(id)).rules).toHaveLength(0);

    await page.keyboard.press('v');
    await approve();
    await control().getByText('at the breakpoint at the final answer').waitFor();
    await timeline(page).getByText('Breakpoint', { exact: true }).click();
    await timeline(page).getByText('It stops at the final answer.').waitFor();
    expect((await record(id)).phaseCause).toBe('breakpoint');
    await page.keyboard.press('Space');
    await expect.poll(async () => (await record(id)).ended?.outcome).toBe('done');
  });

  it('lets calls go through until enough went wrong, and says of each why nobody was asked', async () => {
    const id = await openHeld();
    await page.keyboard.press('b');
    await page.getByLabel('Which calls need approval').selectOption({ label: 'After two failures' });
    await page.getByLabel('Rule 1: how many').fill('1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(async () => (await record(id)).rules[0]).toMatchObject({ does: 'escalate', count: 1 });
    await page.getByLabel('Rule 1: how many').fill('2');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(async () => (await record(id)).rules[0]).toMatchObject({ count: 2 });

    await page.keyboard.press('v');
    await approve();
    await held().getByText('This call needs approval (rule: every call after 2 failures).').waitFor();
    const lines = timeline(page).locator('[data-row-head]');
    await lines.filter({ hasText: 'set_workflow_status', hasNotText: 'Effect shown' }).nth(1).click();
    await timeline(page).getByText('every call after 2 failures, 1 so far').waitFor();
    const asked = async () => (await record(id)).turns.map(({ call }) => call?.waived ?? call?.held?.rule);
    await expect.poll(asked).toEqual(['*: ask', '*: escalate after 2, 1 so far', '*: escalate after 2']);
  });

  it('says that nothing can be overridden when no call waits, and offers to hold the next ones', async () => {
    await openHeld([{ glob: '*', argument: null, does: 'first', count: 1 }]);
    await page.keyboard.press('Space');
    await header().getByText('Paused').waitFor();
    await approve();
    await held()
      .getByText(/^Call approved\./)
      .waitFor();
    await page.keyboard.press('o');
    await page.getByRole('button', { name: 'Hold every call' }).click();
    await page.getByText('Every call now waits for you').waitFor();
    await page.keyboard.press('Space');
    await held().getByText('turn 2 of').waitFor();
  });

  it('collects what the expert would have done, without interrupting the agent', async () => {
    const id = await openHeld();
    await page.keyboard.press('b');
    await page.getByLabel('What you would have done').selectOption({ label: 'Label each turn' });
    await page.getByRole('button', { name: 'Label 1 turn' }).click();
    const card = page.getByRole('region', { name: 'Label a turn' });
    await card.getByText('The agent did: Set the state of workflow').waitFor();
    await page.keyboard.press('2');
    await card.getByLabel(/^workflow_id/).fill('101');
    await page.keyboard.press('ControlOrMeta+Enter');
    await timeline(page).getByText('Label: differs').waitFor();

    await page.keyboard.press('v');
    await approve();
    await held().getByText('turn 2 of').waitFor();
    await openPanel(page, 'Label');
    await page.keyboard.press('1');
    await timeline(page).getByText('Label: agrees').waitFor();
    const { turns } = await record(id);
    expect(turns.map(({ label }) => label?.agrees)).toEqual([false, true]);
    expect(turns[0]?.label).toMatchObject({ beta: null, move: { arguments: { workflow_id: 101 } } });
    expect(turns[1]?.call?.decision).toBeNull();
  });

  it('starts an episode with approval rules from the dialog', async () => {
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog', { name: 'Start an episode' });
    await dialog.getByRole('radio', { name: /^loomline_workflows/ }).click();
    await taskOption(dialog, 0).click();
    await chooseAdvice(dialog, 'No expert');
    await dialog.getByLabel('Which calls need approval').selectOption({ label: 'Reads go through' });
    await dialog.getByText('advice: no expert · approvals by hand').waitFor();
    const id = await pressStart(page);
    await held().getByText('needs approval (rule: every call)').waitFor();
    expect((await record(id)).turns[0]?.call?.held?.rule).toBe('*: ask');
  });
});
