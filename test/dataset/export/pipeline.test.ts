import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExportRules } from '../../../src/shared/contract/export.ts';
import { writeExport } from '../../../src/main/dataset/export/runExport.ts';
import { checkSameLog, readManifest } from '../../../src/main/dataset/export/manifest.ts';
import type { EventLog } from '../../../src/main/log/eventLog.ts';
import { write } from '../../support/exported.ts';
import { filesOf } from '../../support/filesOf.ts';
import { makeRows, rulesOf } from '../../support/exporting.ts';
import { openLog, started, SYSTEM } from '../../support/log.ts';
import { episodeEntries } from '../../support/manyEpisodes.ts';
import { folderPerTest } from '../../support/temporaryFolder.ts';

const folder = folderPerTest();

type Over = Parameters<typeof episodeEntries>[2];
const add = (log: EventLog, id: string, over: Over = {}, at = 1): void =>
  log.importStreams([{ stream: id, entries: episodeEntries(id, at, over) }]);

/** Forty episodes: four each of ten tasks, every one of its own words. */
function shopLog(more: (log: EventLog) => void = () => undefined): EventLog {
  const log = openLog();
  more(log);
  for (let i = 0; i < 40; i += 1)
    add(log, `e${String(i).padStart(2, '0')}`, { task_idx: i % 10, number: i, isAdvised: i % 2 === 0 }, i);
  return log;
}
const lines = (text = ''): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('an export', () => {
  it('gives the same bytes from two logs that hold the same, at another time and in another place', async () => {
    const rules = rulesOf({ validation: { share: 0.3, seed: 1 }, cap_per_task: 3 });

    await write(shopLog(), join(folder(), 'a'), { rules });
    await write(shopLog(), join(folder(), 'deep/b'), { rules });

    const files = filesOf(join(folder(), 'a'));
    expect(filesOf(join(folder(), 'deep/b'))).toEqual(files);
    expect(Object.values(files).join('\n')).not.toContain(folder());
  });

  it('never cuts a task in two, and says how many rows are on each side', async () => {
    const report = await write(shopLog(), folder(), {
      rules: rulesOf({ validation: { share: 0.3, seed: 1 } }),
    });

    const files = filesOf(folder());
    const tasks = (name: string) => new Set(lines(files[name]).map((row) => row['task_idx']));
    const train = tasks('data/sft-train.jsonl');
    const validation = tasks('data/sft-validation.jsonl');
    expect([...train].filter((task) => validation.has(task))).toEqual([]);
    expect(validation.size).toBeGreaterThan(0);
    expect(report.splits.train + report.splits.validation).toBe(40);
    expect(lines(files['data/sft-validation.jsonl'])).toHaveLength(report.splits.validation);
  });

  it('takes nothing of a task that is held out', async () => {
    const { rows, dropped } = await makeRows(shopLog(), 'sft', { held_out: [['Shop 1', 3]] });

    expect(dropped).toEqual({ held_out: 4 });
    expect(rows.some((row) => row['task_idx'] === 3)).toBe(false);
  });

  it('is the same whatever else the log goes on with, and names the events it took', async () => {
    const log = shopLog();
    const before = await write(log, join(folder(), 'a'));
    log.append('open', SYSTEM, started());
    await write(log, join(folder(), 'b'));

    expect(filesOf(join(folder(), 'b'))).toEqual(filesOf(join(folder(), 'a')));
    expect(before.log_to).toBe(log.lastSeq() - 1);
  });

  it('can be stopped, and leaves nothing behind', async () => {
    const stopping = new AbortController();
    const ask = {
      format: 'sft' as const,
      rules: rulesOf(),
      files: 'jsonl' as const,
      kit: null,
      despite: [],
      folder: join(folder(), 'out'),
      isForced: false,
    };
    const hooks = {
      signal: stopping.signal,
      onProgress: (done: number) => {
        if (done > 5) stopping.abort();
        // Work that takes long enough to be interrupted.
        for (const until = performance.now() + 3; performance.now() < until;);
      },
    };

    await expect(writeExport(shopLog(), ask, hooks)).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(folder())).toEqual([]);
  });
});

describe('what lies beside the rows', () => {
  const KEY = 'sk-abcdefghijklmnopqrstuvwx';
  /** One episode in which a person's advice held a key and a path: in no prompt, but in its events. */
  function told(words: string): EventLog {
    const log = openLog();
    const entries = episodeEntries('told', 1, { isAdvised: true, number: 7 }).map((entry) =>
      entry.event.kind === 'advice.approved' || entry.event.kind === 'advice.delivered'
        ? { ...entry, event: { ...entry.event, text: words } }
        : entry,
    );
    log.importStreams([{ stream: 'told', entries }]);
    return log;
  }

  it('holds no key that somebody typed, and says where it stands in the log', async () => {
    const log = told(`Sign in with ${KEY}, then read /home/ada/orders.csv or ask ada@orders.shop.`);
    const report = await write(log, folder(), { format: 'grpo' });

    const files = filesOf(folder());
    expect(Object.values(files).join('\n')).not.toContain(KEY);
    expect(files['events.jsonl']).toContain('Sign in with [left out], then read');
    expect(lines(files['events.jsonl']).length).toBeGreaterThan(3);
    const found = report.findings.filter(({ check }) => check.startsWith('events_'));
    expect(found.map(({ check, level }) => `${level} ${check}`)).toEqual([
      'warning events_secrets',
      'warning events_paths',
      'warning events_personal',
    ]);
    expect(found[0]?.message).toMatch(/^In events\.jsonl the events of 1 episode hold what looks like a key/);
    const [place] = found[0]?.at ?? [];
    expect(place?.episode).toBe('told');
    const at = log.read('told').find(({ n }) => n === place?.n);
    expect(JSON.stringify(at?.event)).toContain(KEY);
  });

  it('does not bring back what an expert said where that is taken out of the rows', async () => {
    await write(told('Only Ada knows the order.'), folder(), {
      rules: rulesOf({ privilege: 'strip', verdict: 'any', preset: 'when_to_ask' }),
    });

    const files = filesOf(folder());
    expect(Object.keys(files)).not.toContain('events.jsonl');
    expect(Object.values(files).join('\n')).not.toContain('Only Ada knows');
    expect(files['README.md']).not.toContain('events.jsonl');
  });
});

describe('what is asked for', () => {
  it('is refused where it contradicts what a preset promises, and where a format has none', async () => {
    const asked = write(shopLog(), folder(), {
      rules: rulesOf({ verdict: 'any', preset: 'demonstrations' }),
    });

    await expect(asked).rejects.toMatchObject({ code: 'bad_input', message: /completed episodes alone/ });
    const none = write(shopLog(), folder(), { format: 'kto', rules: rulesOf({ preset: 'advisor' }) });
    await expect(none).rejects.toMatchObject({ code: 'bad_input', message: 'kto has no presets' });
  });

  it('names episodes that are not there, and writes no folder without a row unless told to', async () => {
    const rules = rulesOf({ episodes: ['nosuch'] });
    await expect(write(shopLog(), join(folder(), 'a'), { rules })).rejects.toThrow(/No row is left/);
    const report = await write(shopLog(), join(folder(), 'a'), { rules, despite: ['no_rows'] });

    expect(report.findings.map(({ check }) => check)).toEqual(['no_rows', 'unknown_episodes']);
    expect(filesOf(join(folder(), 'a'))['README.md']).not.toContain('configs:');
  });

  it('says that no episode has ended since the export it goes on from, and not that a rule is too narrow', async () => {
    const log = shopLog();
    const { log_to: after } = await write(log, join(folder(), 'first'));
    const next = (over: Partial<ExportRules>) =>
      write(log, join(folder(), 'next'), { rules: rulesOf({ after_seq: after, ...over }) });

    await expect(next({})).rejects.toThrow('No episode has ended since that export');
    await expect(next({ episodes: ['e00'] })).rejects.toThrow(
      'No episode of those that are chosen has ended since that export',
    );
    add(log, 'later', { number: 99, end: { reward_type: 'incomplete' } }, 0);
    await expect(next({})).rejects.toThrow(/No row is left: see what each rule left out/);
  });

  it('goes on from an export of this very log alone', async () => {
    const log = shopLog();
    await write(log, join(folder(), 'first'));
    const other = openLog();
    add(other, 'x', { number: 1 }, 0);
    const earlier = readManifest(join(folder(), 'first'));

    checkSameLog(log, earlier);
    expect(() => checkSameLog(other, earlier)).toThrow(/made from another log/);
  });
});

describe('the rules', () => {
  const kept = async (rules: Partial<ExportRules>, log = shopLog()) => {
    const { rows, dropped } = await makeRows(log, 'sft', rules);
    return { rows: rows.length, dropped };
  };

  it('narrow by scenario, by single episodes and by condition', async () => {
    const log = shopLog((empty) =>
      add(empty, 'x', { scenario: 'other_2', number: 77, condition: 'none' }, 0),
    );

    expect(await kept({ filter: { scenario: 'other_2' } }, log)).toEqual({ rows: 1, dropped: {} });
    expect(await kept({ episodes: ['x', 'e01'] }, log)).toEqual({ rows: 2, dropped: {} });
    expect(await kept({ conditions: ['none'] }, log)).toEqual({ rows: 1, dropped: { condition: 40 } });
  });

  it('tell who acted, and what the author had seen', async () => {
    const log = shopLog((empty) =>
      add(empty, 'x', { number: 77, isAdvised: true, privilege: ['criteria'] }, 0),
    );

    expect(await kept({ actors: ['human'] }, log)).toEqual({ rows: 21, dropped: { actor: 20 } });
    expect(await kept({ privilege: 'leak_free' }, log)).toEqual({ rows: 40, dropped: { privileged: 1 } });
    expect(await kept({ privilege: 'flag' }, log)).toEqual({ rows: 41, dropped: {} });
  });

  it('keep so many rows of a task, the same ones when more are there', async () => {
    const report = await write(shopLog(), join(folder(), 'a'), { rules: rulesOf({ cap_per_task: 2 }) });
    const rows = lines(filesOf(join(folder(), 'a'))['data/sft-train.jsonl']);
    const rest = shopLog((empty) => add(empty, 'x', { number: 77, task_idx: 11 }, 0));
    await write(rest, join(folder(), 'b'), { rules: rulesOf({ cap_per_task: 2 }) });
    const others = lines(filesOf(join(folder(), 'b'))['data/sft-train.jsonl']);

    expect(report).toMatchObject({
      rows: 20,
      dropped: { cap_per_task: 20 },
      episodes: { read: 40, kept: 20 },
    });
    expect(others.map((row) => String(row['episode'])).toSorted()).toEqual(
      [...rows.map((row) => String(row['episode'])), 'x'].toSorted(),
    );
  });
});

describe('what lies beside the rows', () => {
  it('is the log of the episodes they come from, to be read in again, without addresses of ours', async () => {
    await write(shopLog(), folder(), { rules: rulesOf({ episodes: ['e00', 'e01'] }) });

    const [head, ...events] = lines(filesOf(folder())['events.jsonl']);
    expect(head).toEqual({ type: 'interject.events', v: 1 });
    expect(new Set(events.map((event) => event['episode']))).toEqual(new Set(['e00', 'e01']));
    expect(events[0]).toMatchObject({
      n: 1,
      event: { kind: 'episode.started', environment: { url: '[left out]' } },
    });
    expect(readFileSync(join(folder(), 'events.jsonl'), 'utf8')).not.toContain('http://127.0.0.1');
  });
});
