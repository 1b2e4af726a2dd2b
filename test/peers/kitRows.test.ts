// What the training kit does before it trains, without its large packages: it loads the rows that the files hold, and
// deals out the expert.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edited, type Made } from '../dataset/export/episodes.ts';
import { write } from '../support/exported.ts';
import { serveEnvironment } from '../support/flow.ts';
import { pythonRows, root } from './support.ts';

const RELEASE = 'openenv-0.10.0';
const kit = join(root, 'resources/kit/trl');
const folder = mkdtempSync(join(tmpdir(), 'interject-kit-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
process.env['HF_HOME'] = join(folder, 'cache');

const MINUTES = 60_000;
const FILES = ['jsonl', 'parquet'] as const;
type Files = (typeof FILES)[number];
const out = (files: Files): string => join(folder, files);
const exported = ({ log }: Made, files: Files) =>
  write(log, out(files), { format: 'sft', files, isForced: true });
const loadRows = (files: Files) => pythonRows(RELEASE, 'load_kit_rows.py', [kit, out(files), 'sft']);

/** The card as exports wrote it before it named its content. */
function withoutContent(files: Files): void {
  const card = join(out(files), 'README.md');
  const text = readFileSync(card, 'utf8');
  expect(text).toMatch(/^ {2}description: sha256 [0-9a-f]{64}$/m);
  writeFileSync(card, text.replace(/^ {2}description: sha256 .*\n/m, ''));
}

describe.each(FILES)(
  'the rows that the kit trains on, of an export in %s',
  { timeout: 3 * MINUTES },
  (files) => {
    let first: Made;
    let second: Made;
    beforeAll(async () => {
      const environment = await serveEnvironment();
      first = await edited(environment);
      second = await edited(environment);
      environment.close();
    }, 60_000);
    const episodes = (rows: Record<string, unknown>[]) => rows.map(({ episode }) => episode);

    it('are the new ones where an export was written over another', async () => {
      await exported(first, files);
      expect(episodes(await loadRows(files))).toEqual([first.id]);
      await exported(second, files);
      expect(episodes(await loadRows(files))).toEqual([second.id]);
    });

    it('are refused where a file changed after the export, with the file and what to do', async () => {
      await exported(first, files);
      const data = join(out(files), `data/sft-train.${files}`);
      writeFileSync(data, Buffer.concat([readFileSync(data), Buffer.from('\n')]));

      const [said] = await loadRows(files);

      expect(said?.['refused']).toContain(`${data} is not what CHECKSUMS says`);
      expect(said?.['refused']).toContain('Export again');
    });

    it('are refused where the library gives those of an earlier export, whose card was the same', async () => {
      await exported(first, files);
      withoutContent(files);
      expect(episodes(await loadRows(files))).toEqual([first.id]);
      await exported(second, files);
      withoutContent(files);

      const [said] = await loadRows(files);

      expect(said?.['refused']).toContain(`other rows of ${out(files)} than its files hold`);
      expect(said?.['refused']).toMatch(/Delete .+, or export again/);
    });
  },
);

describe('the kit’s plan', () => {
  const json = (name: string, value: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(value));
    return path;
  };
  const shares = async (plan: string, rates: (number | null)[]) => {
    const rows = await pythonRows(RELEASE, 'plan_shares.py', [kit, plan, json('rates.json', rates)]);
    return rows as { share: number; dealt: boolean[] }[];
  };

  it('gives the expert as many groups as the recipe’s published run had in each of its phases', async () => {
    // Format errors in percent of 128 rollouts, and the phase of the step: S 6:2, B 4:4, I 2:6 (OpenEnv PR #428).
    const published =
      '88.3S 85.9S 84.4S 89.8S 87.5S 81.3S 81.3S 75.0S 72.7S 65.6S 65.6B 60.2B 60.2B 62.5B 56.3B 54.7B 44.5B ' +
      '53.9B 50.8B 50.0B 43.0B 43.0B 43.0B 50.0B 44.5B 43.0B 43.8B 35.2B 31.3I';
    const steps = published
      .split(' ')
      .map((step) => ({ rate: Number(step.slice(0, -1)) / 100, phase: step.at(-1) }));
    const before = [null, ...steps.slice(0, -1).map(({ rate }) => rate)];

    const played = await shares(join(kit, 'curriculum.json'), before);

    const ofPhase: Record<string, number> = { S: 6 / 8, B: 4 / 8, I: 2 / 8 };
    expect(played.map(({ share }) => share)).toEqual(steps.map(({ phase }) => ofPhase[phase ?? '']));
  });

  it('deals a share out evenly, and nothing where nobody is to be asked', async () => {
    for (const [share, groups] of [
      [0, 0],
      [0.25, 5],
      [0.5, 10],
      [1, 20],
    ] as const) {
      const [row] = await shares(json('plan.json', { expert_share: share }), [0.9]);
      expect(row?.dealt.filter(Boolean)).toHaveLength(groups);
      // Never more than one group away from the share.
      row?.dealt.forEach((_, at) => {
        const dealt = row.dealt.slice(0, at + 1).filter(Boolean).length;
        expect(Math.abs(dealt - share * (at + 1))).toBeLessThanOrEqual(0.5);
      });
    }
  });
});
