// Episodes of an Agent World Model server with its data folder known: what its verifiers check reaches the advisor and
// the answer key, and never the agent; a model judges where a run asks for it, and its key is written nowhere.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findFiles } from '../../src/main/dataset/import/findFiles.ts';
import { importFile } from '../../src/main/dataset/import/importFile.ts';
import { createNotes } from '../../src/main/dataset/import/importNotes.ts';
import { readHere } from '../../src/main/dataset/import/readOnThread.ts';
import { createSourceStore } from '../../src/main/dataset/import/sourceStore.ts';
import { newId } from '../../src/main/hosts/edges.ts';
import type { StartEpisode } from '../../src/shared/contract/areas.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { CODE_VERIFIER, SQL_VERIFIER, writeAwmFolder } from '../support/awmFolder.ts';
import { serveEnvironment } from '../support/flow.ts';
import { SYSTEM } from '../support/log.ts';
import { startOpenAiServer, type OpenAiServer, type ScriptedAnswer } from '../support/openaiServer.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const USAGE = { prompt_tokens: 70, completion_tokens: 9 };
const DISTILLED = '- workflows: row 2 is named "Quarterly-77"';
const PLAN = JSON.stringify({
  plan: [{ tool: 'rename_workflow', args: { id: 2 }, purpose: 'rename it to Quarterly-77' }],
});
const JUDGE_KEY = 'jk-5f1d0c2b7a9e4836';

let environment: Awaited<ReturnType<typeof serveEnvironment>>;
let resets: Record<string, unknown>[] = [];
let data = '';
let product: Product;
let model: OpenAiServer | null = null;
let isClosed = false;
const closing = async (): Promise<void> => {
  if (!isClosed) await product.close();
  isClosed = true;
};

beforeEach(async () => {
  resets = [];
  isClosed = false;
  data = writeAwmFolder();
  environment = await serveEnvironment({
    reset: (request) => {
      resets.push(request);
      const { task } = request;
      return {
        observation: {
          reward_type: 'reset_ok',
          scenario: 's_1',
          task: typeof task === 'string' ? task : 'Rename the second workflow.',
          task_idx: 0,
          num_tools: 2,
        },
        reward: null,
      };
    },
    verify: ({ verifier_mode: mode }) => ({
      observation: {
        reward_type: mode === 'sql' ? 'incomplete' : 'complete',
        // As a judge's server does that is told a wrong key.
        verify_result: {
          llm_judge: { error: `Incorrect API key provided: ${String(resets.at(-1)?.['llm_api_key'])}` },
        },
      },
      reward: mode === 'sql' ? 0.1 : 1,
    }),
  });
});
afterEach(async () => {
  await closing();
  removeFolder(product.folder);
  environment.close();
  rmSync(data, { recursive: true });
  const server = model;
  model = null;
  await server?.close();
});

async function open(script: readonly ScriptedAnswer[] | null, variables: Record<string, string> = {}) {
  model = script === null ? null : await startOpenAiServer(script);
  const expert: Record<string, string> =
    model === null ? {} : { INTERJECT_EXPERT_BASE_URL: model.url, INTERJECT_EXPERT_MODEL: 'expert-1' };
  product = await openProduct(undefined, { AWM_DATA_DIR: data, ...expert, ...variables });
  return product.as('seat-one');
}

async function play(over: Partial<StartEpisode> = {}): Promise<EpisodeRecord> {
  const at = { environment: environment.url, scenario: 'S 1', condition: 'model' } as const;
  const { episodes } = await product.as('seat-one')('episode.start', startInput({ ...at, ...over }));
  return product.ended(episodes[0] ?? '');
}

async function importOne(path: string): Promise<string> {
  const sources = createSourceStore(join(product.folder, 'sources'), newId);
  const { read } = readHere({ sources, newId });
  let found = '';
  for (const file of findFiles(path, createNotes())) {
    await importFile(
      { log: product.log, clock: Date.now, sources, read },
      { ...file, isLossy: false },
      {
        signal: new AbortController().signal,
        onBytes: () => undefined,
        onEpisode: ({ episode }) => (found = episode),
      },
    );
  }
  return found;
}

const kindsOf = (episode: string, kind: string) =>
  product.log.read(episode).flatMap(({ event }) => (event.kind === kind ? [event] : []));

describe('what an Agent World Model verifier checks', () => {
  it('is put into words once for all episodes of a task, reaches the drafts, marks them, and is never told to the agent', async () => {
    await open([{ content: DISTILLED, usage: USAGE }, { content: PLAN }, { content: PLAN }]);

    const first = await play();
    const second = await play();

    expect(JSON.stringify(model?.requests[0]?.body)).toContain('SELECT name FROM workflows WHERE id = 2');
    expect(JSON.stringify(model?.requests[0]?.body)).toContain('workflows.id = 2 is named renamed');
    for (const at of [1, 2])
      expect(JSON.stringify(model?.requests[at]?.body)).toContain(JSON.stringify(DISTILLED).slice(1, -1));
    // The plan gives a name that only the criteria give.
    expect(kindsOf(first.id, 'advice.drafted')).toMatchObject([
      { privilege: ['criteria'], leak: { count: 1 } },
    ]);
    expect([first.criteria, second.criteria]).toMatchObject([
      { from: 'model', is_cached: false, usage: { input_tokens: 70, output_tokens: 9 } },
      { from: 'model', is_cached: true },
    ]);
    expect(JSON.stringify(kindsOf(first.id, 'message.added'))).not.toContain('row 2 is named');
    expect(JSON.stringify(product.log.read(first.id))).not.toContain('row 2 is named');
  });

  it('stays as it stands in the data where the model fails, and the log says so', async () => {
    const refusal = { status: 400, body: { error: { message: 'no such model' } } };
    await open([refusal, { content: PLAN }]);

    const { criteria } = await play();

    expect(criteria).toMatchObject({ from: 'data', usage: null, failure: { code: 'model_bad_request' } });
    expect(JSON.stringify(model?.requests[1]?.body)).toContain('workflows.id = 2 is named renamed');
  });

  it('stands behind the cover of the answer key, of live and imported episodes, and whoever looks is marked', async () => {
    const ask = await open(null);
    const { id } = await play({ condition: 'none' });
    const imported = 'e-imported';
    const { started } = product.log.record(id);
    if (started === null) throw new Error('nothing started');
    product.log.append(imported, SYSTEM, { ...started, source: 'import' });

    for (const episode of [id, imported]) {
      expect(await ask('answer_key.describe', { episode })).toMatchObject({ is_known: true });
      expect(await ask('answer_key.show', { episode })).toEqual({
        criteria: expect.stringContaining('Key checks:\n- workflows.id = 2 is named renamed'),
        reference: null,
        saw: ['criteria'],
        verifier: CODE_VERIFIER,
        criteria_model: null,
      });
    }
    expect(product.log.read('seat/seat-one').map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ kind: 'answer.seen', saw: ['criteria'], episode: id }),
    );
  });

  it('is what the sql verifier checks where that judges, and is said to be missing where the data has none', async () => {
    const ask = await open(null);
    const { id } = await play({ condition: 'none', verifier_mode: 'sql' });

    expect(await ask('answer_key.show', { episode: id })).toMatchObject({
      criteria: expect.stringContaining('Workflow 2 has a new name.'),
      verifier: SQL_VERIFIER,
    });

    const first = product.log.record(id).started ?? never();
    product.log.append('e-none', SYSTEM, { ...first, task_idx: 1 });
    expect(await ask('answer_key.describe', { episode: 'e-none' })).toMatchObject({
      is_known: false,
      message: expect.stringContaining('no sql verifier for task 1 of S 1'),
    });
  });

  it('is known of an episode that was read from a file of the server, by the task its file names', async () => {
    const file = (name: string, task: string): string => {
      const path = join(data, `${name}.json`);
      const trajectory = [
        {
          action: 'call_tool',
          tool_name: 'rename_workflow',
          arguments: { id: 2 },
          success: true,
          result: 'ok',
        },
      ];
      writeFileSync(path, JSON.stringify({ scenario: 's_1', task_idx: 0, task, steps: 1, trajectory }));
      return path;
    };
    const ask = await open([{ content: DISTILLED, usage: USAGE }]);
    const asLive = await importOne(file('live', 'Rename the second workflow.'));
    const other = await importOne(file('other', 'Delete every order.'));

    expect(await ask('answer_key.describe', { episode: asLive })).toMatchObject({ is_known: true });
    expect(await ask('answer_key.show', { episode: asLive })).toEqual({
      criteria: DISTILLED,
      reference: null,
      saw: ['criteria'],
      verifier: CODE_VERIFIER,
      criteria_model: 'scripted-model',
    });
    expect(JSON.stringify(model?.requests[0]?.body)).toContain('Rename the second workflow.');
    expect(await ask('answer_key.describe', { episode: other })).toMatchObject({
      is_known: false,
      message: expect.stringContaining('another text'),
    });
  });

  it('is not taken from data that has another text for the task, but is where the run gave the text itself', async () => {
    const ask = await open(null);
    const elsewhere = await play({ condition: 'none', reset: {}, task_idx: 0, scenario: 'S 2' });
    const own = await play({ condition: 'none', reset: { task: 'Say it in other words.' } });
    const { id } = elsewhere;
    product.log.append('e-other', SYSTEM, {
      ...(elsewhere.started ?? never()),
      scenario: 'S 1',
      task_idx: 7,
    });

    expect(await ask('answer_key.describe', { episode: id })).toMatchObject({ is_known: true });
    expect(own.reset?.request).toMatchObject({ task: 'Say it in other words.' });
    expect(await ask('answer_key.describe', { episode: own.id })).toMatchObject({ is_known: true });
    expect(await ask('answer_key.describe', { episode: 'e-other' })).toEqual({
      is_known: false,
      message: expect.stringContaining('no verifier for task 7 of S 1'),
      next: expect.stringContaining('--awm-data'),
    });
  });

  it('is said to be unknown, with how to get it, where the folder holds no data', async () => {
    const ask = await open(null, { AWM_DATA_DIR: join(data, 'nowhere') });
    const { id, ended } = await play({ condition: 'none' });

    expect(ended?.outcome).toBe('done');
    expect(await ask('answer_key.describe', { episode: id })).toEqual({
      is_known: false,
      message: expect.stringContaining('nowhere holds no gen_verifier'),
      next: expect.stringContaining('Snowflake/AgentWorldModel-1K'),
    });
    await expect(ask('answer_key.show', { episode: id })).rejects.toMatchObject({ code: 'not_found' });
    expect(await ask('settings.read', { checks_awm: true })).toMatchObject({
      awm: { data_from: 'environment', data_problem: { next: expect.any(String) } },
    });
    await ask('settings.change', { awm: { data_folder: data } });
    expect(await ask('settings.read', { checks_awm: true })).toMatchObject({
      awm: { data_from: 'environment', data_setting: data },
    });
  });
});

const never = (): never => {
  throw new Error('nothing started');
};

describe('the state of an Agent World Model server that cannot be asked', () => {
  it('is its first one by the data, with the statements that did not run, and is never taken for the end', async () => {
    const ask = await open(null);
    const { id } = await play({ condition: 'none' });

    const world = await ask('state.tables', { episode: id, turn: null });

    expect(world).toMatchObject({
      source: 'seed',
      at_turn: 0,
      changes: [],
      tables: [{ name: 'workflows', rows: 3 }],
    });
    expect(
      world.seed_problems?.map(({ table, number, is_repaired }) => [table, number, is_repaired]),
    ).toEqual([
      ['workflows', 2, false],
      ['workflows', 3, true],
      ['workflows', 4, false],
      ['workflows', 5, false],
    ]);
  });
});

describe('reset arguments', () => {
  it('are recorded as they were sent, and refused where the environment would go wrong by them', async () => {
    await open(null);
    const rewards = { complete: 2, incomplete: 0.5 };

    const { reset } = await play({ condition: 'none', reset: { reward_config: rewards } });

    expect(resets[0]).toMatchObject({ reward_config: rewards });
    expect(reset?.request).toMatchObject({ reward_config: rewards });
    for (const wrong of [{ reward_config: { complete: 'much' } }, { reward_config: [1] }, { task: 7 }])
      await expect(play({ condition: 'none', reset: wrong })).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('a run that a model judges', () => {
  const judge = { OPENENV_AWM_LLM_BASE_URL: 'http://127.0.0.1:9/v1', OPENENV_AWM_LLM_MODEL: 'judge-1' };

  it('tells the server of its judge, is recorded as what it was, and no byte of the data folder holds the key', async () => {
    await open(null, { ...judge, OPENENV_AWM_LLM_API_KEY: JUDGE_KEY });

    const { reset, verified, ended, started } = await play({ condition: 'none', verifier_mode: 'sql' });

    expect(resets[0]).toMatchObject({
      llm_base_url: 'http://127.0.0.1:9/v1',
      llm_model: 'judge-1',
      llm_api_key: JUDGE_KEY,
    });
    expect(reset?.request).toMatchObject({ llm_model: 'judge-1', llm_api_key: '[redacted:19]' });
    expect(started?.verifier_mode).toBe('sql');
    expect(verified).toMatchObject({ verifier_mode: 'sql', reward_type: 'incomplete', reward: 0.1 });
    expect(ended).toMatchObject({ reward_type: 'incomplete', reward: 0.1 });
    await closing();
    expect(filesWith(product.folder, JUDGE_KEY)).toEqual([]);
  });

  it('keeps a key of the settings among the secrets alone, and tells nobody but a server that is asked to judge', async () => {
    const ask = await open(null);
    await ask('settings.change', {
      awm: {
        judge_base_url: 'http://127.0.0.1:9/v1',
        judge_model: 'judge-2',
        judge_key: JUDGE_KEY,
        verifier_mode: 'sql',
      },
    });

    const { awm: shown } = await ask('settings.read', { checks_awm: true });
    // The settings speak of the Agent World Model; this server does not call itself so.
    await play({ condition: 'none' });
    await play({
      condition: 'none',
      verifier_mode: 'sql',
      reset: { llm_base_url: 'http://elsewhere.test/v1' },
    });
    await play({ condition: 'none', verifier_mode: 'sql' });

    expect(shown.judge).toEqual({
      base_url: 'http://127.0.0.1:9/v1',
      model: 'judge-2',
      key: 'stored',
      is_overridden: false,
    });
    expect(resets.map((one) => one['llm_api_key'])).toEqual([undefined, undefined, JUDGE_KEY]);
    await closing();
    expect(filesWith(product.folder, JUDGE_KEY)).toEqual(['secrets.json']);
  });

  it('is judged by the same judge when it is resumed, though the log does not hold the key', async () => {
    await open(null, { ...judge, OPENENV_AWM_LLM_API_KEY: JUDGE_KEY });
    const { id } = await play({ condition: 'none', verifier_mode: 'sql' });

    const { episode } = await product.as('seat-one')('episode.fork', { episode: id, turn: 1 });
    const forked = await product.ended(episode);

    expect(resets.map((one) => one['llm_api_key'])).toEqual([JUDGE_KEY, JUDGE_KEY]);
    expect(forked.verified).toMatchObject({ verifier_mode: 'sql' });
  });
});

const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name);
