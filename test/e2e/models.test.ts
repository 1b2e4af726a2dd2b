import { expect, it } from 'vitest';
import { startOpenAiServer, type ScriptedAnswer } from '../support/openaiServer.ts';
import { chooseAdvice, pressStart, taskOption } from './console.ts';
import { describeConsoleWith } from './fixture.ts';

const add = (a: number, b: number) => ({ name: 'add', arguments: JSON.stringify({ a, b }) });

describeConsoleWith(
  { serverOptions: async () => ({ env: { AWM_AGENT_MODEL: 'recipe-model' } }) },
  'models',
  (fixture) => {
    it('say where each value comes from, and what a profile’s model can do, with the evidence', async () => {
      const refusal = { status: 400, body: { error: { message: 'maximum context length is 4096 tokens' } } };
      const script: ScriptedAnswer[] = [
        { content: 'ready' },
        { content: 'PELICAN' },
        { toolCalls: [add(17, 25)] },
        { toolCalls: [add(1, 2), add(30, 40)] },
        { content: '1 2 3 4 5 6 7 8 9 10' },
        { content: '391', reasoning: 'let me think' },
        refusal,
      ];
      const model = await startOpenAiServer(script);
      const page = await fixture.open();
      await page.goto(`${fixture.server.url.split('#')[0]}#/setup`);
      await page.getByText('recipe-model · OpenAI · no key · from AWM_AGENT_MODEL').waitFor();
      const form = page.getByRole('form', { name: 'Add a model profile' });
      await form.getByLabel('Name').fill('local');
      await form.getByLabel('Provider').selectOption('azure');
      await form.getByLabel('Endpoint').fill(model.origin);
      await form.getByLabel('Deployment').fill('qwen');
      await form.getByLabel('New key').fill('key-of-the-profile');
      await form.getByRole('button', { name: 'Save profile' }).click();
      const line = page.getByRole('listitem').filter({ hasText: 'local' });
      await line.getByText('key stored').waitFor();
      expect(await line.textContent()).toMatch(/7 small requests: about 1,200 tokens in/);

      await line.getByRole('button', { name: 'Try what it can do' }).click();
      await line.getByText('Makes several calls in one reply').waitFor();
      await line.getByText('This took 60 tokens in and 30 out.').waitFor();
      const found = await line.getByRole('list', { name: 'What the model can do' }).textContent();

      expect(found).toContain('Calls tools: Yesit called add({"a":17,"b":25})');
      expect(found).toContain('4096 tokens, as the server says');
      await line.scrollIntoViewIfNeeded();
      await model.close();
    });

    it('can be chosen for one episode, which names the profile it ran with', async () => {
      const model = await startOpenAiServer([{ content: 'All done.' }]);
      await fixture.server.call('settings.change', {
        profiles: {
          save: {
            name: 'local',
            provider: 'openai',
            base_url: model.url,
            model: 'qwen',
            api_version: null,
          },
        },
      });
      const page = await fixture.open();
      await page.keyboard.press('s');
      const dialog = page.getByRole('dialog', { name: 'Start an episode' });
      await dialog.getByRole('radio', { name: /^loomline_workflows/ }).click();
      await taskOption(dialog, 0).click();
      await dialog.getByRole('radio', { name: /^Chat model/ }).click();
      await dialog.getByLabel('Model profile').selectOption('local');
      await dialog.getByText('Chat model qwen').waitFor();
      await chooseAdvice(dialog, 'No expert');
      const episode = await pressStart(page);
      await fixture.ended(episode);

      const { started } = await fixture.server.record(episode);
      expect(started?.agent).toEqual({
        policy: 'chat',
        protocol: 'native',
        model: 'qwen',
        profile: 'local',
        base_url: model.url,
      });
      expect(model.requests[0]?.body).toMatchObject({ model: 'qwen' });
      await model.close();
    });

    it('end at the budget of the settings, which the start shows and the end names', async () => {
      const page = await fixture.open();
      const unset = { turns: null, minutes: null, tokens: null, cost: null };
      await fixture.server.call('settings.change', {
        budgets: { per_episode: { ...unset, turns: 1 }, per_run: { ...unset, minutes: 90 } },
      });
      await page.keyboard.press('s');
      const dialog = page.getByRole('dialog', { name: 'Start an episode' });
      await dialog.getByRole('radio', { name: /^loomline_workflows/ }).click();
      await taskOption(dialog, 0).click();
      await dialog.getByRole('radio', { name: 'Rehearsal' }).click();
      await chooseAdvice(dialog, 'No expert');
      await dialog.getByText('Limits of what is started together: 90 minutes per run').waitFor();
      expect(await dialog.getByLabel('Maximum turns').getAttribute('placeholder')).toBe('1, from Setup');
      await dialog.getByLabel('Maximum turns').scrollIntoViewIfNeeded();
      const episode = await pressStart(page);
      await fixture.ended(episode);
      await page.getByText('1 turn per episode, set in Setup').first().waitFor();
      await fixture.server.call('settings.change', { budgets: { per_episode: unset, per_run: unset } });
    });

    it('cost what a person says they do: at the turn, at the end and in the library', async () => {
      const usage = { prompt_tokens: 1000, completion_tokens: 100 };
      const model = await startOpenAiServer([{ content: 'All done.', usage }]);
      await fixture.server.call('settings.change', { agent: { base_url: model.url } });
      const page = await fixture.open();
      const price = { currency: 'USD', input: 2, output: 10, cached: null, reasoning: null };
      await fixture.server.call('settings.change', {
        prices: { save: { name: 'recipe-model', ...price, as_of: '2026-11-23' } },
      });
      const agent = { policy: 'chat' as const, protocol: 'native' as const, model: 'recipe-model' };
      const episode = await fixture.play({ agent, condition: 'none' });
      await page.goto(`${fixture.server.url.split('#')[0]}#/episode/${episode}`);
      await page.locator('[data-row-head]').filter({ hasText: 'All done.' }).first().click();
      await page.getByText('0.0030 USD').first().waitFor();
      await model.close();
    });
  },
);
