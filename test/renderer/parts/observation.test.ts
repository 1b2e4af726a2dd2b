import { describe, expect, it } from 'vitest';
import { sumRewards } from '../../../src/main/environments/actions.ts';
import { IMAGE_BYTES_MAX, readObservation } from '../../../src/renderer/parts/observation/readObservation.ts';
import { formatReward, rewardScale } from '../../../src/renderer/parts/observation/ObservationView.tsx';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { rewardsOf } from '../../../src/shared/episode/summary.ts';
import { pngOf } from '../../support/png.ts';

const frame = (observation: object): string =>
  JSON.stringify({ type: 'observation', data: { observation, reward: 0, done: false } });

describe('an observation on screen', () => {
  it('is its fields in their own kinds, without what the envelope says', () => {
    const png = pngOf(64, 48);
    const parts = readObservation(
      frame({
        board: [
          [1, 0],
          [0, 'x'],
        ],
        message: 'Go on.',
        legal: [1, 2],
        image: png,
        done: false,
        metadata: {},
        none: null,
      }),
    );
    expect(parts).toEqual([
      {
        name: 'board',
        type: 'board',
        rows: [
          ['1', '0'],
          ['0', 'x'],
        ],
      },
      { name: 'message', type: 'text', text: 'Go on.' },
      { name: 'legal', type: 'list', items: ['1', '2'] },
      {
        name: 'image',
        type: 'image',
        format: 'image/png',
        bytes: expect.any(Number) as number,
        url: `data:image/png;base64,${png}`,
      },
    ]);
  });

  it('shows no image that is too large or not of pixels, and no address as an image', () => {
    const large = 'iVBORw0KGgo'.padEnd(IMAGE_BYTES_MAX * 1.5, 'A');
    const svg = `data:image/svg+xml;base64,${'A'.repeat(200)}`;
    const address = `https://elsewhere.invalid/${'a'.repeat(200)}.png`;
    const parts = readObservation(frame({ large, svg, address })) ?? [];
    expect(parts.map((part) => (part.type === 'image' ? part.url : part.type))).toEqual([null, null, 'text']);
  });

  it('adds the parts of a reward up in the order the environment names them', () => {
    const [part] =
      readObservation(
        frame({ reward_breakdown: { fuel: -0.1, progress: 0.3 }, reward_columns: ['progress', 'fuel'] }),
      ) ?? [];
    expect(part?.type === 'breakdown' ? part.steps : null).toEqual([
      { name: 'progress', value: 0.3, from: 0, to: 0.3 },
      { name: 'fuel', value: -0.1, from: 0.3, to: 0.2 },
    ]);
  });

  it('is read in a game that calls its score result, before and after there is one', () => {
    // As OpenEnv's chess environment answers.
    const game = { fen: '8/8/8/8/8/8/8/K1k5 w - - 0 1', legal_moves: ['a1a2'], is_check: false };
    const names = (observation: object) => readObservation(frame(observation))?.map(({ name }) => name);
    expect(names({ ...game, result: null })).toEqual(['fen', 'legal_moves', 'is_check']);
    expect(names({ ...game, result: '1-0' })).toEqual(['fen', 'legal_moves', 'is_check', 'result']);
  });

  it('shows a long list, and one of texts with lines, as a tree', () => {
    const long = Array.from({ length: 300 }, (_, index) => index);
    const parts = readObservation(frame({ long, lines: ['a\nb'], none: [] })) ?? [];
    expect(parts.map(({ type }) => type)).toEqual(['value', 'value', 'value']);
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

  it('stand on round numbers that hold 0, all within what is drawn', () => {
    expect(rewardScale([-0.25, 0.5]).ticks).toEqual([-0.2, 0, 0.2, 0.4]);
    expect(rewardScale([-3]).ticks).toEqual([-3, -2, -1, 0]);
    expect(rewardScale([0]).ticks).toEqual([0, 1]);
    expect(rewardScale([1e-7, 3e-7]).ticks).toContain(0);
    expect(formatReward(-0.1 - 0.2)).toBe('−0.3');
  });
});
