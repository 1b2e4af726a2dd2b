import { afterEach, beforeEach, expect, it } from 'vitest';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { decide, goTo } from './console.ts';
import { describeConsole } from './fixture.ts';
import { START } from './server.ts';

const call = (id: string, name: string, args: object) => ({ id, name, arguments: JSON.stringify(args) });
const THREE = {
  content: 'I look at three things.',
  toolCalls: [
    call('a', 'list_tags', { workspace_id: 1 }),
    call('b', 'list_connections', { workspace_id: 7 }),
    call('c', 'list_steps', { workflow_id: 101 }),
  ],
};

describeConsole('several calls in one reply that wait for a person', (app) => {
  let model: OpenAiServer;
  beforeEach(async () => {
    model = await startOpenAiServer([THREE, { content: 'Done.' }]);
    await app.server.call('settings.change', {
      profiles: {
        save: {
          name: 'local',
          provider: 'openai',
          base_url: model.url,
          model: 'm',
          api_version: null,
        },
      },
    });
  });
  afterEach(() => model.close());

  it('are decided one by one, each with what the reply holds besides', async () => {
    const { episodes } = await app.server.call('episode.start', {
      ...START,
      condition: 'none',
      run: 'nightly',
      agent: {
        policy: 'chat',
        protocol: 'native',
        model: 'm',
        profile: 'local',
      },
      approval: {
        rules: [{ glob: '*', argument: null, does: 'ask', count: null }],
        deadline_ms: null,
        fallback: 'wait',
      },
    });
    const id = episodes[0] ?? '';
    const page = await app.open();
    await goTo(page, `#/episode/${id}`);
    const held = page.getByRole('region', { name: 'Held call' });

    await held.getByText('The call as it is: list_tags').waitFor();
    await held.getByText('Call 1 of 3 in one reply').waitFor();
    await decide(page, 'a');

    await held.getByText('The call as it is: list_connections').waitFor();
    await held.getByText('Call 2 of 3 in one reply').waitFor();
    // What the first one came to stands where the person reads on.
    await held.getByText(/^Before: .+\. .+/).waitFor();
    await page.keyboard.press('e');
    await held.getByLabel(/^workspace_id/).fill('1');
    await decide(page);
    await page.getByText('Edited call sent').waitFor();

    // The last one at the desk: its card is the same.
    await held.getByText('The call as it is: list_steps').waitFor();
    await goTo(page, '#/desk');
    await held.getByText('The call as it is: list_steps').waitFor();
    await held.getByText('Call 3 of 3 in one reply').waitFor();
    await page.keyboard.press('r');
    await held.getByRole('textbox').last().fill('not needed');
    await decide(page);

    await app.ended(id);
    const { turns } = await app.server.record(id);
    expect(turns.map(({ call: made }) => made?.decision?.type)).toEqual([
      'approved',
      'edited',
      'rejected',
      undefined,
    ]);
    expect(turns.map(({ call: made }) => made?.sent?.arguments)).toEqual([
      { workspace_id: 1 },
      { workspace_id: 1 },
      undefined,
      undefined,
    ]);
    await goTo(page, `#/episode/${id}`);
    await page.getByText('Call rejected').first().waitFor();

    // The library adds up what the run that it belongs to spent.
    await goTo(page, '#/episodes');
    await page.getByRole('button', { name: 'Filter…' }).click();
    await page.getByLabel('Run', { exact: true }).selectOption({ label: 'nightly' });
    await page.getByText('1 episode · 30 tokens, price unknown').waitFor();
  });
});
