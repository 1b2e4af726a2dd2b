import { describe, expect, it } from 'vitest';
import { sumRewards } from '../../../src/main/environments/actions.ts';
import { IMAGE_BYTES_MAX, readObservation } from '../../../src/renderer/parts/observation/readObservation.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { rewardsOf } from '../../../src/shared/episode/summary.ts';

const frame = (observation: object): string =>
  JSON.stringify({ type: 'observation', data: { observation, reward: 0, done: false } });

describe('an observation on screen', () => {
  it('shows no image that is too large or not of pixels, and no address as an image', () => {
    const large = 'iVBORw0KGgo'.padEnd(IMAGE_BYTES_MAX * 1.5, 'A');
    const svg = `data:image/svg+xml;base64,${'A'.repeat(200)}`;
    const address = `https://elsewhere.invalid/${'a'.repeat(200)}.png`;
    const parts = readObservation(frame({ large, svg, address })) ?? [];
    expect(parts.map((part) => (part.type === 'image' ? part.url : part.type))).toEqual([null, null, 'text']);
  });

  it('is read in a game that calls its score result, before and after there is one', () => {
    // As OpenEnv's chess environment answers.
    const game = { fen: '8/8/8/8/8/8/8/K1k5 w - - 0 1', legal_moves: ['a1a2'], is_check: false };
    const names = (observation: object) => readObservation(frame(observation))?.map(({ name }) => name);
    expect(names({ ...game, result: null })).toEqual(['fen', 'legal_moves', 'is_check']);
    expect(names({ ...game, result: '1-0' })).toEqual(['fen', 'legal_moves', 'is_check', 'result']);
  });

  it('leaves results of tools and what is no frame to their own views', () => {
    expect(readObservation(frame({ tool_result: '{}' }))).toBeNull();
    expect(readObservation(frame({ result: { content: [] } }))).toBeNull();
    expect(readObservation('{"type":"error","data":{}}')).toBeNull();
    expect(readObservation('no JSON')).toBeNull();
  });
});

describe('the rewards of an episode', () => {
  const turnsOf = (rewards: readonly (number | null)[]) =>
    ({
      turns: rewards.map((reward, index) => ({ turn: index + 1, call: { returned: { reward } } })),
    }) as unknown as Pick<EpisodeRecord, 'turns'>;

  it('come to what the episode is worth, with turns that gave none left out', () => {
    const points = rewardsOf(turnsOf([-0.1, null, 0.2, 0.7]));
    expect(points.map(({ turn, total }) => [turn, total])).toEqual([
      [1, -0.1],
      [3, 0.1],
      [4, 0.8],
    ]);
    expect(points.at(-1)?.total).toBe(sumRewards([-0.1, 0.2, 0.7]));
  });
});
