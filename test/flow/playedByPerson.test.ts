import { afterEach, describe, expect, it } from 'vitest';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { agentModel } from '../../src/shared/episode/phase.ts';
import { episodeRow } from '../../src/shared/episode/rows.ts';
import { exampleArguments } from '../../src/shared/schema/exampleValue.ts';
import { messageLabel } from '../../src/renderer/parts/timeline/MessageText.tsx';
import { rowsOf } from '../../src/shared/timeline/rows.ts';
import { ROLE_LABELS } from '../../src/shared/timeline/timelineRow.ts';
import { actionServer } from '../support/actionServer.ts';
import { makeRows } from '../support/exporting.ts';
import { playGrid } from '../support/playGrid.ts';
import { openProduct, removeFolder, startInput, type Product } from '../support/product.ts';

const WAY = ['RIGHT', 'RIGHT', 'DOWN', 'DOWN'];

let app: Product;
let server: Awaited<ReturnType<typeof actionServer>>;
afterEach(async () => {
  await app.close();
  await server.close();
  removeFolder(app.folder);
});

async function play(): Promise<EpisodeRecord> {
  server = await actionServer();
  app = await openProduct();
  return playGrid(app, server.url, WAY);
}

describe('an episode that a person plays', () => {
  it('waits for the person from the first move, asks no model, and ends where the environment says so', async () => {
    const record = await play();

    expect(record.ended).toMatchObject({ outcome: 'done', reason: 'the environment ended the episode' });
    expect(record.ended?.reward).toBeCloseTo(0.25);
    expect(record.turns.map(({ actor, model }) => [actor, model])).toEqual(
      WAY.map(() => [{ type: 'human', id: 'seat-1' }, null]),
    );
    expect(record.turns.map(({ call }) => call?.sent?.arguments)).toEqual(WAY.map((action) => ({ action })));
    expect(server.frames.slice(1)).toEqual(WAY.map((action) => ({ type: 'step', data: { action } })));
  });

  it('takes no further move once the environment has ended the episode', async () => {
    server = await actionServer();
    app = await openProduct();
    const late: Promise<string>[] = [];
    app.log.subscribe(({ stream: episode, event }) => {
      if (event.kind !== 'call.returned' || !event.done) return;
      const move = { type: 'list_tools' } as const;
      late.push(
        app
          .as('seat-1')('takeover.move', { episode, say: '', move, is_unchecked: false })
          .then(
            () => 'made',
            () => 'refused',
          ),
      );
    });
    const record = await playGrid(app, server.url, WAY);
    expect(await Promise.all(late)).toEqual(['refused']);
    expect(app.log.record(record.id).turns).toHaveLength(WAY.length);
  });

  it('names a person and no model in the log, the exports and the console, though a model is set', async () => {
    server = await actionServer();
    app = await openProduct(undefined, {
      INTERJECT_AGENT_MODEL: 'example-model',
      INTERJECT_AGENT_BASE_URL: 'http://127.0.0.1:9/v1',
    });
    const record = await playGrid(app, server.url, WAY, { scenario: null, task_idx: null }, 'example-model');

    expect(record.started?.agent).toEqual({ policy: 'human', protocol: 'native', model: null });
    const [atif] = (await makeRows(app.log, 'atif')).rows;
    const [episode] = (await makeRows(app.log, 'episode_record')).rows;
    expect(atif?.['agent']).not.toHaveProperty('model_name');
    expect(episode?.['extra']).toMatchObject({ model: null });
    expect(JSON.stringify([atif, episode])).not.toContain('example-model');

    const moves = rowsOf(record).filter(({ subject }) => subject.type === 'turn');
    expect(moves.map(({ role }) => ROLE_LABELS[role])).toEqual(WAY.map(() => 'Person'));
    const labels = record.messages.map((message) => messageLabel(record, message));
    expect(labels).toContain('Person');
    expect(labels.join()).not.toMatch(/agent/i);
  });

  it('has no model in its exports where an older log names one', async () => {
    const played = await play();
    const started = played.started as NonNullable<EpisodeRecord['started']>;
    const older = { ...played, started: { ...started, agent: { ...started.agent, model: 'example-model' } } };

    expect(agentModel(older)).toBeNull();
    expect(episodeRow(older)?.model).toBeNull();
  });

  it('refuses what the action’s schema does not allow, and an agent that could go on does not exist', async () => {
    server = await actionServer();
    app = await openProduct();
    const call = app.as('seat-1');
    const { id: environment } = await call('environments.add', { name: 'Grid', url: server.url });
    const agent = { policy: 'human', protocol: 'native', model: null } as const;
    const input = startInput({ environment, scenario: null, task_idx: null, agent });
    await expect(call('episode.start', input)).rejects.toThrow(/asks nobody for advice/);
    const { episodes } = await call('episode.start', { ...input, condition: 'none' });
    const episode = episodes[0] ?? '';
    const { tools } = await app.until(episode, ({ phase }) => phase === 'correcting');

    const move = {
      type: 'call_tool',
      tool_name: 'grid_world_action',
      arguments: { action: 'UPWARDS' },
    } as const;
    await expect(call('takeover.move', { episode, say: '', move, is_unchecked: false })).rejects.toThrow(
      /must be one of "UP"/,
    );
    const act = { episode, at_once: false, reason: null, note: null, is_discarded: false };
    await expect(call('episode.control', { ...act, act: 'hand_back' })).rejects.toThrow(/cannot hand back/);
    expect(exampleArguments(tools[0]?.input_schema ?? {})).toEqual({ action: 'UP' });
    await call('episode.stop', { episode, reason: null });
    expect((await app.ended(episode)).ended?.outcome).toBe('stopped');
  });
});
