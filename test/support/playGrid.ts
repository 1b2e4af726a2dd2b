import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { startInput, type Product } from './product.ts';

/** Plays the grid as a person does, move by move from the form, to its end. */
export async function playGrid(
  app: Product,
  url: string,
  moves: readonly string[],
  task: { scenario: string | null; task_idx: number | null } = { scenario: null, task_idx: null },
  model: string | null = null,
): Promise<EpisodeRecord> {
  const call = app.as('seat-1');
  const { id: environment } = await call('environments.add', { name: 'Grid', url });
  const agent = { policy: 'human', protocol: 'native', model } as const;
  const input = startInput({ environment, ...task, agent, condition: 'none' });
  const { episodes } = await call('episode.start', input);
  const [episode = ''] = episodes;
  await makeMoves(app, episode, moves);
  return app.ended(episode);
}

/** Makes each move once the one before it has come back. */
export async function makeMoves(app: Product, episode: string, moves: readonly string[]): Promise<void> {
  for (const action of moves) {
    await app.until(
      episode,
      ({ phase, turns }) =>
        phase === 'correcting' && (turns.length === 0 || (turns.at(-1)?.call?.returned ?? null) !== null),
    );
    const move = { type: 'call_tool', tool_name: 'grid_world_action', arguments: { action } } as const;
    await app.as('seat-1')('takeover.move', { episode, say: '', move, is_unchecked: false });
  }
}
