// How the real TRL scores the two arms of the training kit's GRPO. Needs packages of 6 GB: INTERJECT_TEST_KIT=1 has
// `npm run test:outside` install them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { kitIsInstalled, kitRows, root, PEERS_FOLDER } from '../../peers/support.ts';

const MINUTES = 60_000;
const kit = join(root, 'resources/kit/trl');
const folder = mkdtempSync(join(tmpdir(), 'interject-kit-arms-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Arms = Record<'expert' | 'solo', number[]>;

/** The advantages that TRL computes for planted rewards, a group of each arm a case. */
async function advantages(cases: Arms[]): Promise<Arms[]> {
  const file = join(folder, 'cases.json');
  writeFileSync(file, JSON.stringify(cases));
  const rows = await kitRows(join(PEERS_FOLDER, 'kit_arms.py'), [kit, join(folder, 'work'), file], {});
  return rows.filter((row) => 'solo' in row) as Arms[];
}

describe.skipIf(!kitIsInstalled())('GRPO with an expert in some of the groups', () => {
  it(
    'gives a rollout without the expert the same advantage, whatever those with the expert earn',
    async () => {
      const solo = [1, 0, 0, 0];
      const [all, none, some] = await advantages([
        { solo, expert: [1, 1, 1, 1] },
        { solo, expert: [0, 0, 0, 0] },
        { solo, expert: [-5, 3, 100, 0] },
      ]);

      // Its own group alone: the reward less the mean, over the deviation.
      const deviation = Math.sqrt((0.75 ** 2 + 3 * 0.25 ** 2) / 3);
      const expected = solo.map((reward) => (reward - 0.25) / (deviation + 1e-4));
      for (const scored of [all, none, some]) {
        expect(scored?.solo).toHaveLength(4);
        scored?.solo.forEach((advantage, at) => expect(advantage).toBeCloseTo(expected[at] ?? NaN, 4));
      }
      expect(all?.expert).toEqual([0, 0, 0, 0]);
      expect(some?.expert[2]).toBeGreaterThan(1);
    },
    10 * MINUTES,
  );

  it.each([
    ['--scale_rewards batch', /those with an expert would set the scale of those without/],
    [
      '--num_generations 2',
      /divided by their deviation, the advantages of so small a group are nearly constant/,
    ],
  ])(
    'is refused with %s, which would mix the arms or say nothing',
    async (option, why) => {
      const doors = ['--tap', 'http://127.0.0.1:9/t/x', '--expert', 'http://127.0.0.1:9/v1'];
      const run = kitRows(join(kit, 'grpo.py'), ['--smoke', ...doors, ...option.split(' ')], {
        PYTHONPATH: join(root, 'resources'),
      });
      await expect(run).rejects.toThrow(why);
    },
    10 * MINUTES,
  );
});
