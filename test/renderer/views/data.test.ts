import { sortedDrops } from '../../../src/shared/export/dropWords.ts';
import { describe, expect, it } from 'vitest';
import { ExportFormat, ExportRules, type ExportJob } from '../../../src/shared/contract/export.ts';
import { Failure } from '../../../src/shared/failure.ts';
import { dropWords } from '../../../src/shared/export/dropWords.ts';
import { FORMAT_GROUPS, FORMATS, PRESETS } from '../../../src/shared/export/formats.ts';
import {
  commandLine,
  rulesText,
  readHeldOut,
  readRules,
  changedRules,
  DEFAULT_RULES,
  leftOutBy,
  loosening,
  SECTIONS,
  withDefault,
} from '../../../src/renderer/views/data/rulesModel.ts';
import { createJobRunner, type JobNews, blockedBy } from '../../../src/renderer/views/data/exportJobs.ts';
import { maskKind, maskTotals, maskLabel } from '../../../src/renderer/views/data/MaskPreview.tsx';
import { withChoice } from '../../../src/renderer/views/data/useForm.ts';
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

const reportOf = (
  over: Partial<NonNullable<ExportJob['report']>> = {},
): NonNullable<ExportJob['report']> => ({
  format: 'sft',
  rows: 3,
  splits: { train: 3, validation: 0 },
  episodes: { read: 4, kept: 3 },
  dropped: {},
  classes: {},
  tokens: { total: 0, median: 0, p95: 0, max: 0 },
  findings: [],
  sample: [],
  log_from: 1,
  log_to: 9,
  folder: null,
  files: [],
  bytes: 0,
  ...over,
});

describe('the formats', () => {
  it('all stand in the list, each once, with what it is and what it needs', () => {
    const listed = FORMAT_GROUPS.flatMap(({ formats }) => formats);

    expect(listed.toSorted()).toEqual(ExportFormat.options.toSorted());
    for (const { label, what, needs } of Object.values({ ...FORMATS, ...PRESETS }))
      expect([label, what, needs].every((words) => words.length > 3)).toBe(true);
  });
});

describe('the rules of an export', () => {
  it('all stand in the form, each once, but for what is chosen with the format', () => {
    const inForm = SECTIONS.flatMap(({ rules }) => rules);

    expect([...inForm, 'preset'].toSorted()).toEqual(Object.keys(DEFAULT_RULES).toSorted());
  });

  it('tell what differs from the default, and go back to it one by one', () => {
    const rules = ExportRules.parse({ cap_per_task: 2, filter: { scenario: 'a' }, include: [] });

    expect(changedRules(rules)).toEqual(['filter', 'cap_per_task']);
    expect(changedRules(withDefault(rules, 'filter'))).toEqual(['cap_per_task']);
  });

  it('take the episodes the library hands over in place of those chosen before', () => {
    const rules = ExportRules.parse({ filter: { scenario: 'a' }, cap_per_task: 1 });

    expect(withChoice(rules, { episodes: ['e1'] })).toEqual({ ...rules, filter: {}, episodes: ['e1'] });
    expect(withChoice({ ...rules, episodes: ['e1'] }, { filter: { tag: 't' } })).toEqual({
      ...rules,
      episodes: null,
      filter: { tag: 't' },
    });
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

describe('what an export leaves out', () => {
  it('reads as a reason, the most frequent first; an unknown name shows itself', () => {
    expect(sortedDrops({ late: 1, not_completed: 5, duplicate: 0, declined: 1 })).toEqual([
      ['not_completed', 5],
      ['declined', 1],
      ['late', 1],
    ]);
    expect(dropWords('draft_unchanged').words).toBe('The draft was sent unchanged');
    expect(dropWords('untrainable_copied').words).toBe(
      'It holds a reply that must not train: copied from the episode it branched off, which teaches it',
    );
    expect(dropWords('some_new_rule')).toEqual({ words: 'some new rule', rule: null });
    expect(dropWords('toString').words).toBe('toString');
  });

  it('is counted at the rule of the form that decides it', () => {
    const dropped = { not_completed: 4, stopped: 2, declined: 9, cap_per_task: 3 };

    expect(leftOutBy(dropped, 'verdict')).toBe(6);
    expect(leftOutBy(dropped, 'cap_per_task')).toBe(3);
    expect(leftOutBy(dropped, 'include')).toBe(0);
  });

  it('is let in by one change of that rule, but never a held-out task', () => {
    const rules = ExportRules.parse({ include: ['late'], held_out: [['a', 0]] });

    expect(loosening('timeout', rules)?.rules).toEqual({ ...rules, include: ['late', 'timeouts'] });
    expect(loosening('not_completed', rules)?.rules.verdict).toBe('any');
    expect(loosening('not_completed', { ...rules, verdict: 'any' })).toBeNull();
    expect(loosening('not_completed', { ...rules, preset: 'demonstrations' })).toBeNull();
    expect(loosening('held_out', rules)).toBeNull();
    expect(loosening('declined', rules)).toBeNull();
  });
});

describe('whether it may be written', () => {
  const fine = { report: reportOf(), isStale: false, isRunning: false, failure: null, isCancelled: false };
  const error = { check: 'secrets', level: 'error' as const, message: 'keys', count: 2, at: [] };

  it('is so when the check is of these rules and no error stands that nobody took', () => {
    const found = { ...fine, report: reportOf({ findings: [error, { ...error, level: 'warning' }] }) };

    expect(blockedBy(fine, new Set())).toBeNull();
    expect(blockedBy(found, new Set())).toBe('Resolve this error first: secrets');
    expect(blockedBy(found, new Set(['secrets']))).toBeNull();
    expect(blockedBy({ ...fine, isStale: true }, new Set())).toBe('Not checked yet');
    expect(blockedBy({ ...fine, report: reportOf({ rows: 0 }) }, new Set())).toBe('No row passes the rules');
  });
});

describe('what of a row trains', () => {
  const line = (over: Partial<Parameters<typeof maskKind>[0]>) => ({
    role: 'assistant',
    text: 'abcd',
    trains: false,
    why: null,
    ...over,
  });

  it('is told in words for every message', () => {
    const [prompt, trained, masked, result] = [
      line({ role: 'user', why: 'prompt' }),
      line({ trains: true }),
      line({ why: 'a person changed it' }),
      line({ role: 'tool', why: 'not the agent’s words' }),
    ];

    expect([prompt, trained, masked, result].map(maskKind)).toEqual([
      'context',
      'trains',
      'masked',
      'context',
    ]);
    expect(maskLabel(masked)).toBe('Not trained: a person changed it');
    expect(maskLabel(trained)).toBe('Trains');
    expect(maskTotals([prompt, trained, masked, result])).toEqual({ trains: 1, all: 4, share: 0.25 });
    expect(maskTotals([])).toEqual({ trains: 0, all: 0, share: 0 });
  });
});

describe('the export as a command', () => {
  it('reads the rules from a file where they are not the default, and every event, whose bare flags write the log', () => {
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
  it('is told as it goes, to its end', async () => {
    const done = jobOf({ state: 'done', done: 10, report: reportOf() });
    const { runner, news, wake } = scripted([jobOf(), jobOf({ done: 5 }), done]);

    runner.start(async () => ({ export: 'x1' }));
    await settled();
    await wake();
    await wake();

    expect(news.map(({ isRunning, job }) => [isRunning, job?.done ?? null])).toEqual([
      [true, null],
      [true, 0],
      [true, 5],
      [false, 10],
    ]);
  });

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

  it('says why it could not be asked for', async () => {
    const { runner, news } = scripted([jobOf()]);

    runner.start(async () => {
      throw new Failure('export_refused', 'an error stands');
    });
    await settled();

    expect(news.at(-1)).toMatchObject({ isRunning: false, failure: { code: 'export_refused' } });
  });
});
