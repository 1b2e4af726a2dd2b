// Reports as files: what they say, that they are the same bytes each time, and their pictures.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { episodeSummary } from '../../src/shared/episode/summary.ts';
import { assisted } from '../renderer/parts/episodes.ts';
import { BENCH } from '../support/benchSummary.ts';
import { episodeReport } from '../../src/main/report/episodeReport.ts';
import { main } from '../../src/main/hosts/main.ts';
import { benchReport } from '../../src/main/report/benchReport.ts';
import { openRasteriser } from '../../src/main/report/raster.ts';
import { reportFiles } from '../../src/main/report/report.ts';
import { trainingReport } from '../../src/main/report/trainingReport.ts';
import { BenchSummary } from '../../src/shared/bench/summary.ts';
import { PUBLIC_EXAMPLE } from '../../src/shared/training/publicExample.ts';
import { emptyStep } from '../../src/shared/training/run.ts';
import { TrainingSummary } from '../../src/shared/training/summary.ts';

const textOf = (files: ReturnType<typeof reportFiles>, path: string): string => {
  const content = files.find((file) => file.path === path)?.content;
  if (typeof content !== 'string') throw new Error(`no text ${path}`);
  return content;
};

describe('the report of a training run', () => {
  it('is the same bytes each time, and its summary holds the run', () => {
    const [first, second] = [
      reportFiles(trainingReport(PUBLIC_EXAMPLE), null),
      reportFiles(trainingReport(PUBLIC_EXAMPLE), null),
    ];
    expect(first).toEqual(second);
    const summary = TrainingSummary.parse(JSON.parse(textOf(first, 'results_summary.json')));
    expect(summary.run).toEqual(PUBLIC_EXAMPLE);
    expect(summary.figures.map(({ file }) => `${file}.svg`)).toEqual(
      first.map(({ path }) => path).filter((path) => path.endsWith('.svg') && !path.endsWith('.dark.svg')),
    );
  });

  it('says that one run does not show what changed it, and has a row for each step', () => {
    const text = textOf(reportFiles(trainingReport(PUBLIC_EXAMPLE), null), 'report.md');
    expect(text).toContain('does not show what moved its rewards');
    expect(text).toContain('over the first 5 steps and 0.438 over the last 5');
    expect(text).toContain('was ahead over the first 15 steps');
    expect(text).not.toContain('sped up');
    expect(text).toContain('55.2 % at step 48');
    expect(text).toContain('| 29 | 0.407 | 57 of 128 | 31.3 % | independence | 25 % |');
  });

  it('says of rewards that are all one number that they are, and of no change', () => {
    const steps = Array.from({ length: 10 }, (_, at) => ({ ...emptyStep(at + 1), reward: 0.5 }));
    const files = reportFiles(trainingReport({ ...PUBLIC_EXAMPLE, run: 'flat', source: 'csv', steps }), null);
    const text = textOf(files, 'report.md');
    expect(text).toContain('The mean reward is 0.5 at every step that has one.');
    expect(text).toContain('flat: reward stayed at 0.5 from step 1 to step 10');
    expect(text).not.toContain('changed');
  });

  it('writes names as text, and says where there is too little', () => {
    const run = {
      ...PUBLIC_EXAMPLE,
      run: '<img src=x> *a*',
      source: 'csv' as const,
      notes: [],
      steps: [emptyStep(1)],
    };
    const files = reportFiles(trainingReport(run), null);
    expect(textOf(files, 'report.md')).toContain('\\<img src=x\\> \\*a\\*');
    expect(textOf(files, 'report.md')).toContain('Too few have a reward');
    expect(textOf(files, 'figures/reward-curves.svg')).toContain('there is no curve to draw');
  });

  it('has pictures of twice its size where the machine has a font, and none where it has not', async () => {
    expect(await openRasteriser([])).toBeNull();
    const toPng = await openRasteriser();
    if (toPng === null) return;
    const png = reportFiles(trainingReport(PUBLIC_EXAMPLE), toPng).find(({ path }) =>
      path.endsWith('.png'),
    )?.content;
    if (!(png instanceof Uint8Array)) throw new Error('no picture');
    expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG');
    expect(Buffer.from(png).readUInt32BE(16)).toBe(1600);
  });
});

describe('the report of a bench', () => {
  it('prints that no difference is shown first and in bold, and as the title of its figure', () => {
    const files = reportFiles(benchReport(BENCH), null);
    expect(textOf(files, 'report.md').split('\n')[2]).toBe(
      '**No difference is shown between none and model**',
    );
    expect(textOf(files, 'figures/lift.svg')).toContain('No difference is shown between none and model');
    expect(textOf(files, 'report.md')).toContain('could have shown a difference of 20 points or more');
    expect(BenchSummary.parse(JSON.parse(textOf(files, 'results_summary.json')))).toEqual(BENCH);
  });

  it('names every arm as its tables do, counts one as one, and has headings without a full stop', () => {
    const [none, model] = BENCH.arms;
    if (none === undefined || model === undefined) throw new Error('two arms');
    const one = { ...model, label: 'model(scripted)', tasks: 1, counted: 1 };
    const says = 'Completion: no difference shown between none and model(scripted).';
    const files = reportFiles(
      benchReport({
        ...BENCH,
        arms: [none, one],
        primary: { ...BENCH.primary, says, tasks: 1 },
        prompts: {
          is_only_tool: true,
          differences: [{ first: 'none', second: 'model', lines: ['+ ask_expert'] }],
        },
      }),
      null,
    );
    const text = textOf(files, 'report.md');
    expect(text).toContain('none against model(scripted):');
    expect(text).toContain('## The primary comparison: model(scripted) minus none');
    expect(text.split('\n').filter((line) => line.startsWith('#') && line.endsWith('.'))).toEqual([]);
    expect(textOf(files, 'figures/evaluation-assisted.svg')).toContain('1 task, 1 run<');
    expect(textOf(files, 'figures/lift.svg')).toContain('1 task, not shown');
    expect(textOf(files, 'figures/lift.svg')).not.toContain('(scripted).<');
  });

  it('says by which method each figure was found, and what every seat and every task came to', () => {
    const seat = {
      seat: 'seat-1',
      arm: 'model',
      answers: 4,
      episodes: 3,
      complete: 2,
      minutes: 1.5,
      had_seen: 1,
    };
    const runs = ['none', 'model'].map((name) => ({ arm: name, runs: 1, complete: 1, excluded: 0, asks: 0 }));
    const tasks = [{ scenario: 'shop', task_idx: 7, arms: runs }];
    const text = textOf(reportFiles(benchReport({ ...BENCH, seats: [seat], tasks }), null), 'report.md');
    expect(text).toContain('Test: McNemar’s exact test over tasks. Interval: Newcombe’s for pairs');
    expect(text).toContain('| Wilson |');
    expect(text).toContain('| seat-1 | model | 4 | 1 | 2 of 3 | 1.5 |');
    expect(text).toContain('| shop 7 | 1 of 1 | 1 of 1 |');
  });

  it('never draws runs without help and runs with it in one figure', () => {
    const files = reportFiles(benchReport(BENCH), null).map(({ path }) => path);
    expect(files).toContain('figures/evaluation-solo.svg');
    expect(files).toContain('figures/evaluation-assisted.svg');
  });
});

describe('the report of an episode', () => {
  it('says first what came of it and who helped, and has its steps as a figure and as a table', () => {
    const summary = episodeSummary(assisted().record());
    const files = reportFiles(episodeReport(summary), null);
    expect(files).toEqual(reportFiles(episodeReport(summary), null));
    const text = textOf(files, 'report.md');
    expect(text).toMatch(/\*\*Complete after \d+ turns; advice came once\.\*\*/);
    expect(text).toContain('| Person | Draft edited: ');
    expect(text).toContain('(having seen the reference answer)');
    expect(textOf(files, 'figures/walkthrough.svg')).toContain('advice came once');
    expect(text).toContain('nothing is masked');
  });
});

describe('interject report', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'interject-report-'));
    vi.stubEnv('INIT_CWD', folder);
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  it('reads a trainer’s log and a bench’s summary for what they are, and writes over its own report alone', async () => {
    writeFileSync(join(folder, 'grpo.csv'), 'step,reward\n1,0.5\n2,0.75\n');
    expect(await main(['report', 'grpo.csv', '--out', 'a'])).toBe(0);
    expect(readFileSync(join(folder, 'a/report.md'), 'utf8')).toContain('# Training run grpo');
    expect(await main(['report', 'a', '--out', 'a'])).toBe(0);

    mkdirSync(join(folder, 'bench'));
    writeFileSync(join(folder, 'bench/results_summary.json'), JSON.stringify(BENCH));
    expect(await main(['report', 'bench', '--out', 'b'])).toBe(0);
    expect(readFileSync(join(folder, 'b/report.md'), 'utf8')).toContain('# Bench held out');

    writeFileSync(join(folder, 'other.csv'), 'step,reward\n1,0.25\n2,0.5\n');
    expect(await main(['report', 'grpo.csv', '--with', 'other.csv', 'example', '--out', 'c'])).toBe(0);
    expect(await main(['report', 'grpo.csv', '--with', 'grpo.csv', '--out', 'e'])).toBe(2);
    const compared = readFileSync(join(folder, 'c/report.md'), 'utf8');
    expect(compared).toContain('# 3 training runs side by side');
    expect(compared).toContain('| other | csv | 2 | – |');
    expect(compared).toContain('55.2 % at step 48');
    expect(await main(['report', 'c', '--out', 'd'])).toBe(0);
    expect(readFileSync(join(folder, 'd/report.md'), 'utf8')).toBe(compared);
    expect(await main(['report', 'grpo.csv', '--with', 'bench', '--out', 'e'])).toBe(2);

    // The public recipe's own form: nothing under `meta` but its fields.
    const split = {
      meta: { verifier_mode: 'code', seed: 0 },
      train: [
        ['a_1', 0],
        ['b_1', 1],
      ],
      val: [['a_1', 3]],
    };
    writeFileSync(join(folder, 'split.json'), JSON.stringify(split));
    expect(await main(['report', 'split.json', '--out', 'f'])).toBe(0);
    const scenarios = readFileSync(join(folder, 'f/report.md'), 'utf8');
    expect(scenarios).toContain('2 tasks to train on, 1 held out');
    expect(scenarios).toContain('1 of 2 scenarios is on both sides');
    expect(scenarios).toContain('| a\\_1 | 2 | 1 | 1 | unknown 2 | code | – |');
    expect(await main(['report', 'f', '--out', 'g'])).toBe(0);
    expect(readFileSync(join(folder, 'g/report.md'), 'utf8')).toBe(scenarios);

    expect(await main(['report', 'grpo.csv', '--out', '.'])).toBe(2);
    expect(existsSync(join(folder, 'report.md'))).toBe(false);
  });
});
