// An agent whose model has the same name at another address: it may be another model, and an episode that was killed does
// not go on with it by itself.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Inputs } from '../../src/shared/contract/contract.ts';
import { runHindrance, waitsBecause } from '../../src/main/episode/restart.ts';
import { foldAll } from '../../src/shared/episode/fold.ts';
import { brokeOffText, isBrokenOff } from '../../src/shared/episode/restarts.ts';
import { startAgain } from '../../src/renderer/parts/again/startAgain.ts';
import { killedCopy } from '../support/dataFolder.ts';
import { ME, TIMING } from '../support/killed.ts';
import { openLog, reset, started, SYSTEM } from '../support/log.ts';
import { startOpenAiServer, type OpenAiServer } from '../support/openaiServer.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const ASK = { toolCalls: [{ id: 'a', name: 'ask_expert', arguments: '{"context":"Which one?"}' }] };
const agent = { policy: 'chat', protocol: 'native', model: 'm' } as const;
const products: Product[] = [];
const models: OpenAiServer[] = [];
const folders: string[] = [];
beforeEach(async () => {
  for (const _one of [1, 2])
    models.push(
      await startOpenAiServer(({ messages }) =>
        (messages as { role: string }[]).some(({ role }) => role === 'tool') ? { content: 'Done.' } : ASK,
      ),
    );
});
afterEach(async () => {
  for (const one of products.splice(0)) await one.close();
  for (const one of models.splice(0)) await one.close();
  for (const folder of folders.splice(0)) removeFolder(folder);
});

async function open(model: OpenAiServer | undefined, folder?: string, query = ''): Promise<Product> {
  const base = (model?.url ?? '').replace('://', query === '' ? '://' : '://ann:Zq7secret8815@');
  const product = await openProduct(folder, {
    INTERJECT_AGENT_BASE_URL: `${base}${query}`,
    INTERJECT_AGENT_API_KEY: 'sk-Zq7-agent-key-8815',
    INTERJECT_AGENT_MODEL: 'm',
  });
  products.push(product);
  folders.push(product.folder);
  return product;
}

/** An episode that asks a person; what is left of it when the program is killed. */
async function killedAsking(): Promise<{ id: string; folder: string }> {
  const first = await open(models[0]);
  const [id = ''] = (await first.as(ME)('episode.start', startInput({ agent, condition: 'human' }))).episodes;
  await first.until(id, ({ consultations }) => consultations.length > 0);
  return { id, folder: killedCopy(first.folder) };
}

it('the log says where the model was asked, and no user, query or key', async () => {
  const product = await open(models[0], undefined, '?api_key=Zq7-query-key-8815');
  const [id = ''] = (await product.as(ME)('episode.start', startInput({ agent, condition: 'human' })))
    .episodes;
  const { log } = product;

  expect(log.record(id).started?.agent).toEqual({ ...agent, base_url: models[0]?.url });
  expect(JSON.stringify(log.read(id))).not.toMatch(/Zq7/);
  expect(startAgain(log.record(id))?.agent).toEqual(agent);
});

it('the log says that a model was never to read its reasoning again, and it does not', async () => {
  const thinks = { ...ASK, reasoning: 'Which one is it?' };
  const model = await startOpenAiServer(({ messages }) =>
    (messages as { role: string }[]).some(({ role }) => role === 'tool') ? { content: 'Done.' } : thinks,
  );
  models.push(model);
  const product = await open(model);
  const profile = {
    name: 'quiet',
    provider: 'openai',
    base_url: model.url,
    model: 'm',
    api_version: null,
  } as const;
  const play = async (change: Inputs['settings.change'], more = {}) => {
    await product.as(ME)('settings.change', change);
    const [id = ''] = (
      await product.as(ME)('episode.start', startInput({ agent: { ...agent, ...more }, condition: 'none' }))
    ).episodes;
    const { started, turns } = await product.ended(id);
    return { reasoning: started?.agent.reasoning, recalled: turns.map(({ recalled }) => recalled) };
  };

  const told = [
    await play({ agent: { reasoning: 'off' } }),
    await play({ agent: { reasoning: 'auto' } }),
    await play({ profiles: { save: { ...profile, reasoning: 'off' } } }, { profile: 'quiet' }),
  ];

  expect(told).toEqual([
    { reasoning: 'off', recalled: [undefined, undefined] },
    { reasoning: undefined, recalled: [undefined, 1] },
    { reasoning: 'off', recalled: [undefined, undefined] },
  ]);
  const sent = model.requests.map(({ body }) => JSON.stringify(body).includes(thinks.reasoning));
  expect(sent).toEqual([false, false, false, true, false, false]);
});

it('it waits for a person’s word, says both addresses, and goes on with it', async () => {
  const { id, folder } = await killedAsking();
  const next = await open(models[1], folder);
  const record = await next.until(id, isBrokenOff);

  expect(isBrokenOff(record) && brokeOffText(record)).toBe(
    `the agent was m at ${models[0]?.url ?? ''}, and m at ${models[1]?.url ?? ''} is set now: whether it is the same one is a person’s to say`,
  );
  expect(models[1]?.requests).toEqual([]);
  await next.as(ME)('episode.settle', { episode: id, act: 'go_on' });
  const back = await next.until(id, ({ restarts }) => restarts[0]?.wentOn);
  await next.as(ME)('desk.answer', {
    episode: id,
    consultation: back.consultations[0]?.id ?? '',
    text: 'The second.',
    draft: null,
    seen_seq: back.seq,
    timing: TIMING,
  });
  expect((await next.ended(id)).ended?.outcome).toBe('done');
});

it('at the same address it goes on by itself', async () => {
  const { id, folder } = await killedAsking();

  const record = await (await open(models[0], folder)).until(id, ({ restarts }) => restarts[0]?.wentOn);

  expect(record).toMatchObject({ brokeOff: null, ended: null });
});

describe('what is compared', () => {
  const now = { model: 'm', base_url: 'http://two/v1' };
  const parts = { isFreeOfEffects: () => true, agentNow: () => now, promptSha256: 'p' };
  const recordOf = (more: object) => {
    const log = openLog();
    log.append('e', SYSTEM, started({ agent: { ...agent, ...more }, prompt_sha256: 'p' }));
    log.append('e', SYSTEM, reset());
    const record = foldAll('e', log.read('e'));
    log.close();
    return record;
  };

  it('is the name alone where an older log does not say the address', () => {
    const record = recordOf({});

    expect(waitsBecause(parts, record)).toBeNull();
    expect(record.started && runHindrance(parts, record, record.started)).toBeNull();
  });

  it('is said beside the effects that going on may have', () => {
    const outside = { ...parts, isFreeOfEffects: () => false };

    expect(waitsBecause(outside, recordOf({ base_url: 'http://one/v1' }))?.reason).toMatch(
      /^the agent was m at http:\/\/one\/v1, and m at http:\/\/two\/v1 is set now: .* Going on resets .* outside the episode\.$/,
    );
  });
});
