import { describe, expect, it } from 'vitest';
import { ExportFormat, ExportRules, type ExportJob } from '../../../src/shared/contract/export.ts';
import { Failure } from '../../../src/shared/failure.ts';
import { FORMAT_GROUPS, FORMATS, PRESETS } from '../../../src/shared/export/formats.ts';
import {
  commandLine,
  rulesText,
  readHeldOut,
  readRules,
  DEFAULT_RULES,
  loosening,
  SECTIONS,
} from '../../../src/renderer/views/data/rulesModel.ts';
import { createJobRunner, type JobNews } from '../../../src/renderer/views/data/exportJobs.ts';
import { settled } from '../state/transport.ts';

const jobOf = (over: Partial<ExportJob> = {}): ExportJob => ({
  export: 'x1',
  mode: 'preview',
  format: 'sft',
  state: 'running',
  done: 0,
  total: 10,
  report: null,
  failure: null,
  ...over,
});

it('the formats all stand in the list, each once, with what it is and what it needs', () => {
  const listed = FORMAT_GROUPS.flatMap(({ formats }) => formats);

  expect(listed.toSorted()).toEqual(ExportFormat.options.toSorted());
  for (const { label, what, needs } of Object.values({ ...FORMATS, ...PRESETS }))
    expect([label, what, needs].every((words) => words.length > 3)).toBe(true);
});

describe('the rules of an export', () => {
  it('all stand in the form, each once, but for what is chosen with the format', () => {
    const inForm = SECTIONS.flatMap(({ rules }) => rules);

    expect([...inForm, 'preset'].toSorted()).toEqual(Object.keys(DEFAULT_RULES).toSorted());
  });

  it('come back from what was copied, and say what is wrong with what is no rules', () => {
    const rules = ExportRules.parse({ include: ['late'], held_out: [['s', 3]] });

    expect(readRules(rulesText(rules))).toEqual({ ok: true, value: rules });
    expect(readRules('{"cap_per_task": 0}')).toMatchObject({ ok: false, why: /cap_per_task/ });
    expect(readRules('{"incude": []}')).toMatchObject({ ok: false, why: /incude/ });
    expect(readRules('not json')).toMatchObject({ ok: false, why: /not JSON/ });
  });

  it('hold out the tasks of a split manifest, each once', () => {
    const manifest = {
      meta: { seed: 7, val_fraction: 0.3 },
      train: [['a', 1]],
      val: [
        ['a', 0],
        ['b', 2],
        ['a', 0],
      ],
    };

    expect(readHeldOut(JSON.stringify(manifest))).toEqual({
      ok: true,
      value: [
        ['a', 0],
        ['b', 2],
      ],
    });
    expect(readHeldOut('{"train": []}')).toMatchObject({ ok: false, why: /val/ });
    expect(readHeldOut('{"val": [["a", "0"]]}')).toMatchObject({ ok: false, why: /val\.0\.1/ });
  });
});

it('what an export leaves out is let in by one change of that rule, but never a held-out task', () => {
  const rules = ExportRules.parse({ include: ['late'], held_out: [['a', 0]] });

  expect(loosening('timeout', rules)?.rules).toEqual({ ...rules, include: ['late', 'timeouts'] });
  expect(loosening('not_completed', rules)?.rules.verdict).toBe('any');
  expect(loosening('not_completed', { ...rules, verdict: 'any' })).toBeNull();
  expect(loosening('not_completed', { ...rules, preset: 'demonstrations' })).toBeNull();
  expect(loosening('held_out', rules)).toBeNull();
  expect(loosening('declined', rules)).toBeNull();
});

it('the export as a command reads the rules from a file where they are not the default, and every event, whose bare flags write the log', () => {
  const asked = { format: 'kto', rules: DEFAULT_RULES, files: 'jsonl', hasKit: false } as const;
  const rules = ExportRules.parse({ verdict: 'any' });

  expect(commandLine(asked)).toEqual({
    command: 'interject export --format kto --out kto-data',
    needsFile: false,
  });
  expect(commandLine({ ...asked, rules, files: 'parquet', hasKit: true, despite: ['secrets'] })).toEqual({
    command:
      'interject export --format kto --rules rules.json --files parquet --kit trl --despite secrets --out kto-data',
    needsFile: true,
  });
  expect(commandLine({ ...asked, format: 'events' })).toEqual({
    command: 'interject export --format events --rules rules.json --out events-data',
    needsFile: true,
  });
});

/** Main as the runner sees it; `answers` are given in order, the last again and again. */
function scripted(answers: ExportJob[]) {
  const cancelled: string[] = [];
  const news: JobNews[] = [];
  const sleeps: (() => void)[] = [];
  const runner = createJobRunner(
    {
      job: async () => {
        const next = answers.length > 1 ? answers.shift() : answers[0];
        if (next === undefined) throw new Failure('not_found', 'no such job');
        return next;
      },
      cancel: async (id) => cancelled.push(id),
      sleep: () => new Promise((wake) => sleeps.push(wake)),
    },
    (next) => news.push(next),
  );
  const wake = async (): Promise<void> => {
    for (const one of sleeps.splice(0)) one();
    await settled();
  };
  return { runner, cancelled, news, wake };
}

describe('a job that is followed', () => {
  it('is cancelled when another is asked for, and never heard of again', async () => {
    const { runner, news, cancelled, wake } = scripted([jobOf()]);
    runner.start(async () => ({ export: 'x1' }));
    await settled();

    runner.start(async () => ({ export: 'x2' }), 100);
    const before = news.length;
    await settled();
    expect(cancelled).toEqual(['x1']);
    expect(news.length).toBe(before);
    await wake();

    expect(news.length).toBeGreaterThan(before);
  });

  it('is ended as soon as it is named, when it was cancelled before', async () => {
    const { runner, news, cancelled } = scripted([jobOf()]);
    let name = (_named: { export: string }): void => undefined;
    runner.start(() => new Promise((named) => (name = named)));
    await settled();

    runner.cancel();
    name({ export: 'x1' });
    await settled();

    expect(cancelled).toEqual(['x1']);
    expect(news.at(-1)).toEqual({ isRunning: false, job: null, failure: null });
  });

  it('is left alone when the view that wrote goes away, and cancelled when the one that looked does', async () => {
    for (const [does, expected] of [
      ['leave', []],
      ['cancel', ['x1']],
    ] as const) {
      const { runner, cancelled } = scripted([jobOf()]);
      runner.start(async () => ({ export: 'x1' }));
      await settled();

      runner.close(does);

      expect(cancelled).toEqual(expected);
    }
  });
});
