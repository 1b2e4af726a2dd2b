import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNDESCRIBED } from '../../src/main/openenv/serverDescription.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';
import { createFlow, serveEnvironment, spec } from '../support/flow.ts';
import { makeRows } from '../support/exporting.ts';
import { openProduct, type Product } from '../support/product.ts';

const TEXT = 'Prices are in cents.';
const AWM = 'your user id is 1';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
beforeEach(async () => {
  environment = await serveEnvironment();
});
afterEach(() => environment.close());

const systemOf = (log: EventLog, id: string): string => {
  const [first] = log.record(id).messages;
  return first === undefined ? '' : log.texts.loadText(first.content);
};

async function play(environmentText: string | null, name: string | null) {
  const flow = createFlow({ described: () => Promise.resolve({ ...UNDESCRIBED, name }) });
  const { id, ended } = flow.supervisor.start(spec(environment.url, { condition: 'none', environmentText }));
  const { started } = await ended;
  return { log: flow.log, system: systemOf(flow.log, id), started };
}

describe('what the agent is told of its environment', () => {
  it('stands at the end of its system prompt, in the log, and in what is exported', async () => {
    const plain = await play(null, null);
    const told = await play(TEXT, null);

    expect(told.system).toBe(`${plain.system}\n\n${TEXT}`);
    expect(told.started?.environment_text).toBe(TEXT);
    expect(told.started?.prompt_sha256).not.toBe(plain.started?.prompt_sha256);
    const { rows } = await makeRows(told.log, 'sft', { verdict: 'any' });
    expect(JSON.stringify(rows[0])).toContain(TEXT);
  });

  it('is the user’s id for an Agent World Model server, unless a person says otherwise', async () => {
    expect((await play(null, 'AWMEnvironment')).system).toContain(AWM);
    expect((await play(TEXT, 'agent_world_model_env')).system).not.toContain(AWM);
    expect((await play('', 'agent_world_model_env')).system).not.toContain(AWM);
    expect((await play(null, 'Interject worlds')).system).not.toContain(AWM);
  });
});

describe('in the settings', () => {
  let folder = '';
  let product: Product;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'environment-text-'));
    product = await openProduct(folder);
  });
  afterEach(async () => {
    await product.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('it is kept with the environment, also when that is renamed, and taken back to the default', async () => {
    const call = product.as('seat-one');
    const { id } = await call('environments.add', { name: 'Shop', url: environment.url });

    await call('environment.change', { id, text: TEXT });
    await call('environments.add', { name: 'The shop', url: environment.url });

    expect((await call('environment.read', { id })).text).toBe(TEXT);
    expect((await call('environments.list', {})).environments.at(-1)?.name).toBe('The shop');
    await call('environment.change', { id, text: null });
    expect((await call('environment.read', { id })).text).toBeNull();
  });
});
