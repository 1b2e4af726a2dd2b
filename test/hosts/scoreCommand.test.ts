import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { main } from '../../src/main/hosts/main.ts';
import { breakdownOf, knownOf } from '../../src/main/reward/reward.ts';
import { PROFILE_STREAM } from '../../src/shared/events/rewards.ts';
import { REWARD_DEFAULTS } from '../../src/shared/rewards/settings.ts';
import { ended, openLog, SYSTEM } from '../support/log.ts';
import { episodeEntries } from '../support/manyEpisodes.ts';

let folder = '';
const MINE = {
  ...REWARD_DEFAULTS,
  shaping: { ...REWARD_DEFAULTS.shaping, base: { ...REWARD_DEFAULTS.shaping.base, complete: 5 } },
};
const withLog = <T>(work: (log: ReturnType<typeof openLog>) => T): T => {
  const log = openLog(join(folder, 'home', 'interject.db'));
  try {
    return work(log);
  } finally {
    log.close();
  }
};
/** What the verifier said, where the episode ended with it. */
const verified = (entries: ReturnType<typeof episodeEntries>): typeof entries => {
  const end = entries.at(-1);
  if (end?.event.kind !== 'episode.ended') throw new Error('it has not ended');
  const { reward_type, reward } = end.event;
  const ran = {
    kind: 'verifier.ran' as const,
    verifier_mode: 'code',
    final_answer: null,
    frame: '{}',
    reward_type,
    reward,
    verify_result: null,
    error: null,
    latency_ms: null,
  };
  return [...entries.slice(0, -1), { ...end, event: ran }, end];
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-score-'));
  mkdirSync(join(folder, 'home'));
  vi.stubEnv('INIT_CWD', folder);
  withLog((log) => {
    for (const [id, over] of [
      ['e0', {}],
      ['e1', { isAdvised: true, scenario: '=shop' }],
      ['e2', { end: { reward_type: 'incomplete', reward: 0.1 } }],
    ] as const)
      log.importStreams([{ stream: id, entries: verified(episodeEntries(id, 1, { number: 1, ...over })) }]);
    const saved = { kind: 'reward_profile.saved' as const, name: 'mine', version: 1, settings: MINE };
    log.append(PROFILE_STREAM, SYSTEM, saved);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** The command as a person types it. */
async function score(...args: string[]) {
  const out: string[] = [];
  const said: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const code = await main(['score', '--data', join(folder, 'home'), ...args]);
  vi.restoreAllMocks();
  return { code, out: out.join(''), said: said.join('') };
}
const rowsIn = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { episode: string; shaped: { total: number } });

describe('interject score', () => {
  it('leaves continuations of a lift out, says so, and scores one that is named', async () => {
    const lift = { lift: 'worth', episode: 'e1', consultation: 'c1', arm: 'with' as const, number: 1 };
    const entries = verified(episodeEntries('e3', 1, { number: 1 })).map((entry) =>
      entry.event.kind === 'episode.started' ? { ...entry, event: { ...entry.event, lift } } : entry,
    );
    withLog((log) => log.importStreams([{ stream: 'e3', entries }]));

    const all = await score();
    expect(rowsIn(all.out).map(({ episode }) => episode)).not.toContain('e3');
    expect(all.said).toContain('1 left out: continuations of a lift (--run scores them)');
    const asked = await score('--episode', 'e3');
    expect(rowsIn(asked.out).map(({ episode }) => episode)).toEqual(['e3']);
  });

  it('leaves the probes of a split out, says how many, and scores one that is named', async () => {
    const entries = verified(episodeEntries('e3', 1, { number: 1 })).map((entry) =>
      entry.event.kind === 'episode.started'
        ? { ...entry, event: { ...entry.event, probe: 'no_op' as const } }
        : entry,
    );
    withLog((log) => log.importStreams([{ stream: 'e3', entries }]));

    const all = await score();
    expect(rowsIn(all.out).map(({ episode }) => episode)).not.toContain('e3');
    expect(all.said).toContain('1 left out: probes of a split (--run scores them)');
    const asked = await score('--episode', 'e3');
    expect(rowsIn(asked.out).map(({ episode }) => episode)).toEqual(['e3']);
  });

  it('names the run, the file and the reward of an imported episode, in numbers without noise', async () => {
    const imported = {
      kind: 'episode.imported' as const,
      episode: 'e3',
      format: 'atif' as const,
      version: null,
      source: { name: 'their.json', sha256: 'a'.repeat(64), bytes: 2, index: 0 },
      companions: [],
      task: null,
      not_recorded: [],
      diagnostics: [],
      extra: {},
    };
    const told = episodeEntries('e3', 1, { number: 1, end: { reward_type: null, reward: 0.1 + 0.2 } });
    const [start, ...rest] = told;
    if (start?.event.kind !== 'episode.started') throw new Error('it has not begun');
    const begun = {
      ...start.event,
      source: 'import' as const,
      trainer: { run: 'theirs', step: 1, checkpoint: null, episode: null },
    };
    const entries = [{ ...start, event: begun }, { ...start, event: imported }, ...rest];
    withLog((log) => log.importStreams([{ stream: 'e3', entries }]));

    const { out } = await score('--format', 'csv', '--episode', 'e3', 'e0');
    const [head = [], ...lines] = out
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const cells = lines.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at]])));
    expect(cells.find(({ episode }) => episode === 'e3')).toMatchObject({
      run: 'theirs',
      file: 'their.json',
      imported_reward: '0.3',
    });
    expect(cells.find(({ episode }) => episode === 'e0')).toMatchObject({ file: '', imported_reward: '' });
    expect(out).not.toMatch(/\.\d{7}/);
  });

  it('makes no folder of a name that was mistyped', async () => {
    const missing = join(folder, 'hoem');
    const { code, said } = await score('--data', missing);
    expect([code, existsSync(missing)]).toEqual([1, false]);
    expect(said).toContain('there is no data folder');
  });

  it('says of every ended episode what the rewards say, and by which numbers', async () => {
    const { code, out, said } = await score();

    expect(code).toBe(0);
    expect(
      rowsIn(out)
        .map(({ episode }) => episode)
        .toSorted(),
    ).toEqual(['e0', 'e1', 'e2']);
    for (const row of rowsIn(out)) {
      const record = withLog((log) => log.record(row.episode));
      expect(row).toMatchObject({
        type: 'score',
        profile: 'default',
        version: 0,
        ...breakdownOf(knownOf(record), REWARD_DEFAULTS),
      });
    }
    expect(said).toContain('3 episodes scored by default, version 0');
  });

  it('scores by a profile of the lab, or by numbers of a file, as the same', async () => {
    writeFileSync(join(folder, 'mine.json'), JSON.stringify(MINE));

    const byName = await score('--profile', 'mine');
    const byFile = await score('--settings', 'mine.json');

    const totals = (out: string) => rowsIn(out).map(({ episode, shaped }) => [episode, shaped.total]);
    expect(totals(byFile.out)).toEqual(totals(byName.out));
    expect(rowsIn(byName.out)[0]).toMatchObject({ profile: 'mine', version: 1 });
    expect(rowsIn(byFile.out)[0]).toMatchObject({ profile: 'mine.json', version: null });
    expect(totals(byName.out)).not.toEqual(totals((await score()).out));
  });

  it('narrows as the library does, or takes the episodes that are named', async () => {
    withLog((log) => log.append('running', SYSTEM, episodeEntries('running', 1)[0]?.event ?? ended()));

    expect(
      rowsIn((await score('--scenario', 'shop_1')).out)
        .map(({ episode }) => episode)
        .toSorted(),
    ).toEqual(['e0', 'e2']);
    const named = await score('--episode', 'e1', 'running');
    expect(rowsIn(named.out).map(({ episode }) => episode)).toEqual(['e1']);
    expect(named.said).toContain('1 left out: erased, or not ended');
  });

  it('writes CSV that a spreadsheet opens, a column for each number', async () => {
    const { out } = await score('--format', 'csv', '--episode', 'e1');
    const [head = '', row = ''] = out.split('\r\n');

    expect(head.split(',')).toEqual(
      expect.arrayContaining(['episode', 'shaped', 'rubric', 'primary', 'gate']),
    );
    expect(row.split(',')).toHaveLength(head.split(',').length);
    expect(row).toContain("'=shop");
  });

  it('prints the numbers, so that a file can begin with them', async () => {
    expect(JSON.parse((await score('--print-settings', '--profile', 'mine')).out)).toEqual(MINE);
  });

  it.each([
    [['--profile', 'no'], 'There is default, mine.', 1],
    [['--settings', 'none.json'], '--print-settings', 2],
    [['--profile', 'mine', '--settings', 'a.json'], 'leave one of them out', 2],
    [['--episode', 'e9'], 'Take its id from the library.', 1],
    [['--episode', 'e1', '--scenario', 'shop_1'], 'Leave the other flags out', 2],
  ])('%j fails with what to do next', async (args, next, expected) => {
    const { code, out, said } = await score(...args);

    expect([code, out]).toEqual([expected, '']);
    expect(said).toContain(next);
  });

  it('takes no numbers that the rules of the rewards refuse', async () => {
    const bad = { ...MINE, rubric: { ...MINE.rubric, weights: { primary: 0.4 } } };
    writeFileSync(join(folder, 'bad.json'), JSON.stringify(bad));

    const { code, said } = await score('--settings', 'bad.json');

    expect(code).toBe(2);
    expect(said).toContain('the weights sum to 0.4, not to 1');
  });
});
