import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { writeKit } from '../../src/main/dataset/kit.ts';
import { REWARD_DEFAULTS } from '../../src/shared/rewards/settings.ts';

const resources = resolve(import.meta.dirname, '../../resources');
const shipped = (path: string): string => readFileSync(join(resources, path), 'utf8');
const kit = (name: string): string => shipped(join('kit/trl', name));

let folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'interject-kit-'));
  folders.push(made);
  return made;
};
afterEach(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true });
  folders = [];
});

describe('the training kit beside a data set', () => {
  it('is the scripts we ship, their notebook and the file that links rollouts, byte for byte', () => {
    const out = folder();

    const files = writeKit(out, resources);

    expect(files).toEqual(files.toSorted());
    expect(files).toEqual(
      expect.arrayContaining(['kit/README.md', 'kit/grpo.py', 'kit/interject.py', 'kit/walkthrough.ipynb']),
    );
    for (const file of files) {
      const name = file.slice('kit/'.length);
      const elsewhere: Record<string, string> = {
        'interject.py': 'interject.py',
        'walkthrough.ipynb': 'kit/notebook/walkthrough.ipynb',
      };
      const source = shipped(elsewhere[name] ?? join('kit/trl', name));
      expect(readFileSync(join(out, file), 'utf8')).toBe(source);
    }
    expect(readdirSync(join(out, 'kit'))).toHaveLength(files.length);
  });

  it('replaces its own files and leaves what else lies there', () => {
    const out = folder();
    writeKit(out, resources);
    writeFileSync(join(out, 'kit/mine.py'), 'x');
    writeFileSync(join(out, 'kit/sft.py'), 'changed');

    writeKit(out, resources);

    expect(readFileSync(join(out, 'kit/mine.py'), 'utf8')).toBe('x');
    expect(readFileSync(join(out, 'kit/sft.py'), 'utf8')).toBe(kit('sft.py'));
  });

  it('says why it cannot be written', () => {
    const out = folder();
    writeFileSync(join(out, 'kit'), 'a file where the folder should be');
    expect(() => writeKit(out, resources)).toThrow(/cannot write the training kit/);
  });
});

describe('the notebook of the kit', () => {
  const { cells, nbformat } = JSON.parse(shipped('kit/notebook/walkthrough.ipynb')) as {
    nbformat: number;
    cells: { cell_type: string; source: string[]; outputs?: unknown[]; execution_count?: number | null }[];
  };

  it('holds nothing of a run: no output and no count', () => {
    expect(nbformat).toBe(4);
    for (const cell of cells.filter(({ cell_type: type }) => type === 'code')) {
      expect(cell).toMatchObject({ outputs: [], execution_count: null });
    }
  });

  it('walks the loop in nine sections, in order', () => {
    const titles = cells.flatMap(({ source }) => source[0]?.match(/^## (\d)\. /)?.[1] ?? []);
    expect(titles).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });
});

describe('what the kit says', () => {
  it('pins every package to one version', () => {
    const lines = [kit('requirements.txt'), kit('requirements-gpu.txt')].join('\n').split('\n');
    const packages = lines.filter((line) => line !== '' && !line.startsWith('#'));
    expect(packages).toHaveLength(new Set(packages.map((line) => line.split('==')[0])).size);
    expect(packages.length).toBeGreaterThan(7);
    for (const line of packages) expect(line).toMatch(/^[a-z0-9-]+==\d+(\.\d+)+$/);
  });

  it('has a plan that withdraws the expert as format errors become fewer, never a fixed half', () => {
    const { phases } = JSON.parse(kit('curriculum.json')) as { phases: { expert_share: number }[] };
    expect(phases.map((phase) => phase.expert_share)).toEqual([0.75, 0.5, 0.25]);
  });

  it('shapes by the numbers of our own rewards', () => {
    const fields = [...kit('shaping.py').matchAll(/^ {4}(\w+): float = (-?[\d.]+)$/gm)];
    const { base, modifiers, format_error_share } = REWARD_DEFAULTS.shaping;
    expect(Object.fromEntries(fields.map(([, name, value]) => [name, Number(value)]))).toEqual({
      ...base,
      ...modifiers,
      format_error_share,
    });
  });

  it('puts to the agent the words our own agent reads', () => {
    const joined = kit('environment.py').replace(/"\n\s+"/g, '');
    for (const prompt of ['ask_tool', 'list_tool', 'refused_budget']) {
      expect(joined).toContain(JSON.stringify(shipped(`prompts/agent/${prompt}.md`).trim()));
    }
    const calls = shipped('prompts/agent/calls_first.md').trim();
    const system = shipped('prompts/agent/system_native.md').replace('{ask}', '').replace('{calls}', calls);
    expect(kit('system.md')).toBe(system);
  });

  it('names no machine but this one', () => {
    const out = folder();
    for (const file of writeKit(out, resources)) {
      const text = readFileSync(join(out, file), 'utf8');
      for (const [, host] of text.matchAll(/https?:\/\/([\w.-]+)/g)) {
        expect(['127.0.0.1']).toContain(host);
      }
    }
  });
});
