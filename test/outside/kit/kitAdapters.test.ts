// LoRA adapters of the training kit, trained for real on a tiny model on the CPU, and what merging them makes. Needs the
// kit's packages: INTERJECT_TEST_KIT=1 has `npm run test:outside` install them. Four bits need a GPU, so only their refusal is run here.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kitIsInstalled, kitRows, ran, PEERS_FOLDER } from '../../peers/support.ts';

const MINUTES = 60_000;
const WORLD = 'loomline_workflows';
const folder = mkdtempSync(join(tmpdir(), 'interject-kit-adapters-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = join(folder, 'sft');
const base = join(folder, 'base/tiny');
const merged = join(folder, 'merged');

const python = (script: string, args: string[]) =>
  kitRows(script, args, { HF_HUB_OFFLINE: '1', HF_HOME: join(folder, 'cache') });
const sft = (args: string[]) =>
  python(join(data, 'kit/sft.py'), ['--data', data, '--output_dir', join(folder, 'adapter'), ...args]);

describe.skipIf(!kitIsInstalled())('adapters of the training kit', () => {
  beforeAll(async () => {
    const home = ['--data', join(folder, 'home')];
    const answers = join(folder, 'answers.jsonl');
    writeFileSync(answers, '{"ask":1,"do":"accept"}');
    const run = [
      'run',
      '--world',
      WORLD,
      '--task',
      '0-2',
      '--condition',
      'human+draft',
      '--answers',
      answers,
    ];
    await ran([...run, ...home]);
    await ran(['export', '--format', 'sft', '--kit', 'trl', '--out', data, ...home]);
    await python(join(PEERS_FOLDER, 'kit_tiny.py'), [join(data, 'kit'), join(folder, 'base'), data]);
  }, 5 * MINUTES);

  it(
    'merge into the weights that LoRA’s own formula gives, and load without peft to the same logits',
    async () => {
      const cpu = ['--use_cpu', '--bf16=false', '--gradient_checkpointing=false', '--save_strategy=no'];
      const steps = ['--max_steps=3', '--per_device_train_batch_size=1', '--learning_rate=0.05'];
      await sft(['--model', base, '--lora', '4', '--merge_to', merged, ...cpu, ...steps]);

      const compare = [base, join(folder, 'adapter'), merged];
      const [said] = await python(join(PEERS_FOLDER, 'kit_adapters.py'), compare);
      // Two layers, seven linear parts each.
      expect(said).toMatchObject({ changed: 14, wrong: [] });
      expect(said?.['files']).toEqual(expect.arrayContaining(['model.safetensors', 'tokenizer.json']));
      expect(said?.['files']).not.toContain('adapter_config.json');
      const { training_moved: training, merging_moved: merging } = said as Record<string, number>;
      expect(merging).toBeLessThan(0.02);
      expect(training).toBeGreaterThan(10 * (merging ?? 0));
    },
    10 * MINUTES,
  );

  it(
    'train in a smoke run as all weights do: finite loss, changed parameters',
    async () => {
      const said = await sft(['--smoke', '--lora', '4']);
      expect(said.at(-1)).toMatchObject({ smoke: 'sft/sft', ok: true, steps: 2 });
    },
    10 * MINUTES,
  );

  it(
    'are refused with a word on what is missing: a rank, a GPU',
    async () => {
      await expect(sft(['--model', base, '--merge_to', merged])).rejects.toThrow(/give its rank too/);
      const fourBits = sft(['--model', base, '--lora', '4', '--load_4bit', '--use_cpu', '--bf16=false']);
      await expect(fourBits).rejects.toThrow(/needs a GPU/);
    },
    10 * MINUTES,
  );
});
