// The notebook of the training kit, every cell really run in a Jupyter kernel from the folder that an export lays it in, with
// a tiny model made here in place of an open one, and all of Interject's commands. Needs the kit's packages:
// INTERJECT_TEST_KIT=1 has `npm run test:outside` install them. Without a GPU the notebook leaves four bits out by itself.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeKit } from '../../../src/main/dataset/kit.ts';
import { kitIsInstalled, kitRows, root, PEERS_FOLDER } from '../../peers/support.ts';

const MINUTES = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'interject-kit-notebook-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const kit = join(folder, 'kit');
const work = join(folder, 'work');
const python = (script: string, args: string[], env: Record<string, string> = {}) =>
  kitRows(join(PEERS_FOLDER, script), args, { HF_HOME: join(folder, 'cache'), ...env });

describe.skipIf(!kitIsInstalled())('the notebook, from top to bottom', () => {
  let said: Record<string, string>;
  beforeAll(async () => {
    writeKit(folder, join(root, 'resources'));
    writeFileSync(join(folder, 'answers.jsonl'), '{"ask":1,"do":"accept"}');
    await python('kit_tiny.py', [kit, join(folder, 'base'), join(root, 'resources/worlds')]);
    const rows = await python('run_notebook.py', [join(kit, 'walkthrough.ipynb'), kit], {
      MODEL: join(folder, 'base/tiny'),
      WORK: work,
      INTERJECT: `"${process.execPath}" "${join(root, 'bin/interject.mjs')}"`,
      TASKS: '0-4',
      TURNS: '1',
      ROLLOUTS: '0',
      SEEDS: '1',
      LORA: '4',
      SFT_STEPS: '2',
      DPO_STEPS: '2',
      GRPO_STEPS: '1',
      GRPO_TOKENS: '64',
      // So small a random model never asks.
      HELPED_AGENT: 'rehearsal',
      ANSWERS: join(folder, 'answers.jsonl'),
    });
    expect(rows[0]).toEqual({ valid: true, stored_outputs: 0 });
    said = Object.fromEntries(rows.slice(1).map(({ cell, text }) => [cell, text] as [string, string]));
  }, 30 * MINUTES);

  it('says in words what each section got', () => {
    const found: Record<string, RegExp> = {
      packages: /All \d+ packages are here[^]*No GPU: 4 bits are left out/,
      interject: /Built-in worlds answers behind its tap, and the expert's door opens/,
      'split-run': /3\. Split: 3 tasks train, 2 are held out/,
      'baseline-run': /4\. Baseline: completed by the verifier's word: none 0%, model/,
      'help-run': /5\. Interventions: 1 of 3 episodes were completed; the agent asked 3 times/,
      'export-run': /6\. Export: 1 sft rows, none of a held-out task/,
      sft: /7\. SFT: 2 steps, loss [\d.]+ to [\d.]+; merged in bfloat16/,
      dpo: /7\. DPO: left out: there is no pair|7\. DPO: it did not train: .*no pair to train on/,
      grpo: /7\. GRPO: 1 steps, .*merged in bfloat16.*it learned nothing/,
      inference: /8\. SFT after save: training moved[^]*8\. GRPO after save/,
      'bench-again': /8\. Bench again: before 0%, after 0%.*no difference shown/,
      'report-run': /9\. Report: \d+ files/,
    };
    for (const [cell, words] of Object.entries(found)) expect(said[cell], cell).toMatch(words);
  });

  it('leaves a merged model that LoRA’s own formula confirms, and a report', async () => {
    const models = [join(folder, 'base/tiny'), join(work, 'adapters/sft'), join(work, 'models/sft')];
    const [compared] = await python('kit_adapters.py', models);
    expect(compared).toMatchObject({ changed: 14, wrong: [] });
    expect(existsSync(join(work, 'report/report.md'))).toBe(true);
  });

  it('prints no key of a server that it starts itself', () => {
    expect(said['interject']).not.toMatch(/ij-[0-9a-f]+-|token=/);
  });
});
