import { afterEach, beforeEach, expect, it } from 'vitest';
import { serveEnvironment } from '../support/flow.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { goTo, timeline } from './console.ts';
import { describeConsole } from './fixture.ts';
import { START } from './server.ts';

const call = (id: string, name: string) => ({
  toolCalls: [{ id, name, arguments: JSON.stringify({ id: 2 }) }],
});

describeConsole('an episode whose environment changed before it is resumed', (app) => {
  let model: OpenAiServer;
  let environment: Awaited<ReturnType<typeof serveEnvironment>>;
  let owner = 'Ann';
  beforeEach(async () => {
    owner = 'Ann';
    model = await startOpenAiServer([
      call('a', 'find_workflow'),
      call('b', 'rename_workflow'),
      { content: 'Renamed.' },
    ]);
    environment = await serveEnvironment({
      find_workflow: () => ({
        observation: { reward_type: 'tool_call_ok', tool_result: `The owner is ${owner}.` },
      }),
      rename_workflow: () => 'drop',
    });
  });
  afterEach(async () => {
    environment.close();
    await model.close();
  });

  it('stops at the first answer that differs, shows both, and goes on when the person says so', async () => {
    const { id } = await app.server.call('environments.add', { name: 'Mine', url: environment.url });
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
    const { episodes } = await app.server.call('episode.start', {
      ...START,
      environment: id,
      scenario: 's_1',
      condition: 'none',
      agent: { policy: 'chat', protocol: 'native', model: 'm', profile: 'local' },
    });
    const first = episodes[0] ?? '';
    await app.ended(first);
    owner = 'Bob';
    const page = await app.open();
    await goTo(page, `#/episode/${first}`);

    await page.getByRole('button', { name: 'Resume' }).click();
    const anyway = page.getByRole('button', { name: 'Resume anyway D' });
    await anyway.waitFor();
    await timeline(page).getByText('1 result differs from the log').click();
    await page.getByText('The owner is Bob.').waitFor();
    expect(model.requests).toHaveLength(2);

    await page.keyboard.press('Shift+D');
    await timeline(page).getByText('Renamed.').waitFor();
  });
});
