import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { commandLine, rulesText } from '../../src/renderer/views/data/rulesModel.ts';
import type { ExportFormat, ExportRules } from '../../src/shared/contract/export.ts';
import { RULES_FILE } from '../../src/shared/export/formats.ts';
import { write } from '../support/exported.ts';
import { rulesOf } from '../support/exporting.ts';
import { filesOf } from '../support/filesOf.ts';
import { runInProcess } from '../support/inProcess.ts';
import { openLog } from '../support/log.ts';
import { episodeEntries } from '../support/manyEpisodes.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();
beforeEach(() => {
  mkdirSync(join(folder(), 'home'));
  fill((log) => {
    for (let i = 0; i < 6; i += 1)
      log(`e${String(i)}`, { task_idx: i % 3, number: i, isAdvised: i % 2 === 0 });
  });
});

type Over = Parameters<typeof episodeEntries>[2];
function fill(work: (add: (id: string, over: Over) => void) => void): void {
  const log = openLog(join(folder(), 'home', 'interject.db'));
  work((id, over) => log.importStreams([{ stream: id, entries: episodeEntries(id, 1, over) }]));
  log.close();
}

/** The command as a person types it, in their folder. */
const interject = (...args: string[]) =>
  runInProcess(folder(), ['export', ...args, '--data', join(folder(), 'home'), '--json']);

describe('interject export', () => {
  it('writes a data set, goes on from it, and makes it again from its rules', async () => {
    writeFileSync(
      join(folder(), 'split.json'),
      JSON.stringify({ meta: {}, train: [], val: [['shop_1', 2]] }),
    );
    const first = await interject(
      '--format',
      'sft',
      '--out',
      'a',
      '--split',
      'split.json',
      '--actor',
      'human',
    );
    fill((add) => add('later', { number: 50, isAdvised: true }));
    const next = await interject('--format', 'sft', '--out', 'b', '--since', 'a');
    const flags = '--format sft --out c --rules a/rules.json --until-date 1970-01-02 --episode e0 e4';
    const again = await interject(...flags.split(' '));

    expect([first.code, next.code, again.code]).toEqual([0, 0, 0]);
    expect(first.lines.at(-1)).toMatchObject({
      type: 'export',
      format: 'sft',
      rows: 2,
      dropped: { held_out: 2, actor: 2 },
      splits: { train: 2, validation: 0 },
    });
    expect(next.lines.at(-1)).toMatchObject({ rows: 1, dropped: { exported_before: 5, held_out: 1 } });
    expect(again.lines.at(-1)).toMatchObject({ rows: 2 });
    expect([first.said, next.said]).toEqual([
      expect.stringContaining('2 rows in '),
      expect.stringContaining('1 row in '),
    ]);
    const data = (name: string) => filesOf(join(folder(), name))['data/sft-train.jsonl'];
    expect(data('c')).toBe(data('a'));
  });

  it('says how many rows rest on help from someone who had seen the answer, and what leaves them out', async () => {
    fill((add) => add('seen', { number: 70, isAdvised: true, privilege: ['reference'] }));
    const flagged = await interject('--format', 'sft', '--out', 'a');
    const clean = await interject('--format', 'sft', '--out', 'b', '--privilege', 'leak-free');

    const rows = (said: string): number => Number(/^(\d+) rows in/m.exec(said)?.[1]);
    const words =
      /, (\d+) of them not known to be free of the answer \(who helped had seen some of it, or is not recorded\): `--privilege leak-free` leaves them out$/m;
    const [, counted] = words.exec(flagged.said) ?? [];
    expect(Number(counted)).toBeGreaterThan(0);
    expect(rows(flagged.said) - rows(clean.said)).toBe(Number(counted));
    expect(clean.said).not.toMatch(words);
  });

  it('says once that no row is left, with what to do', async () => {
    const { code, said, lines } = await interject('--format', 'sft', '--out', 'a', '--scenario', 'nowhere');

    expect(code).toBe(1);
    expect(lines.map(({ type }) => type)).toEqual(['finding', 'error']);
    expect(`${said}${String(lines.at(-1)?.['message'])}`.match(/No row is left/g)).toHaveLength(1);
    const refused = await interject('--format', 'preference', '--out', 'a');
    expect(refused.said).toMatch(/^0 rows, not written\n {2}\d+ left out: .* \(\w+\)$/m);
  });

  it('looks without writing, and refuses with the finding until the check is named', async () => {
    fill((add) => add('key', { number: 60, task: 'Sign in with sk-abcdefghijklmnopqrstuvwx please.' }));
    const looked = await interject('--format', 'sft', '--check');
    const refused = await interject('--format', 'sft', '--out', 'a');

    expect(looked.code).toBe(1);
    expect(looked.lines[0]).toMatchObject({
      type: 'finding',
      check: 'secrets',
      level: 'error',
      at: [{ episode: 'key' }],
    });
    expect(looked.lines.at(-1)).toMatchObject({ type: 'export', rows: 7, files: [] });
    expect(refused.code).toBe(1);
    expect(refused.lines.at(-1)).toMatchObject({ type: 'error', code: 'export_refused' });
    expect(existsSync(join(folder(), 'a'))).toBe(false);
    expect((await interject('--format', 'sft', '--out', 'a', '--despite', 'secrets')).code).toBe(0);
  });

  it('writes of the log itself the episodes that the rules take, and says what it left out', async () => {
    const part = await interject(
      '--format',
      'events',
      '--out',
      'a',
      '--episode',
      'e0',
      'e1',
      'e2',
      '--completed',
    );
    fill((add) => add('failed', { end: { reward_type: 'incomplete', reward: 0.6 } }));
    const most = await interject(...'--format events --out b --completed --min-reward 0.5'.split(' '));

    const ids = (name: string) => [
      ...new Set(filesOf(join(folder(), name))['events.jsonl']?.match(/(?<="episode":")[^"]+(?=","n":)/g)),
    ];
    expect([part.code, most.code]).toEqual([0, 0]);
    expect(ids('a')).toEqual(['e0', 'e1', 'e2']);
    expect(ids('b')).toEqual(['e0', 'e1', 'e2', 'e3', 'e4', 'e5']);
    expect(most.lines.at(-1)).toMatchObject({ type: 'export', dropped: { not_completed: 1 } });
    expect(most.said).toContain('The verifier does not call it complete');
  });

  it.each<[ExportFormat, Partial<ExportRules>, string[]]>([
    ['events', {}, []],
    ['events', { validation: { share: 0.5, seed: 3 }, cap_per_task: 1 }, ['secrets']],
    ['sft_messages', { arguments: 'string', include: ['duplicates' as const] }, ['secrets']],
  ])('makes the same bytes of %s by the commands that the console and the card print: %o', async (...one) => {
    const [format, over, despite] = one;
    fill((add) => add('key', { number: 60, task: 'Sign in with sk-abcdefghijklmnopqrstuvwx.' }));
    const rules = rulesOf({ ...over, ...(despite.length === 0 ? { episodes: ['e0', 'e1'] } : {}) });
    const log = openLog(join(folder(), 'home', 'interject.db'));
    await write(log, join(folder(), 'console'), { format, rules, despite });
    log.close();

    const { command, needsFile } = commandLine({ format, rules, files: 'jsonl', hasKit: false, despite });
    if (needsFile) writeFileSync(join(folder(), RULES_FILE), rulesText(rules));
    const shown = await interject(...command.split(' ').slice(2));
    const files = filesOf(join(folder(), 'console'));
    cpSync(join(folder(), 'console', 'rules.json'), join(folder(), 'rules.json'));
    const onCard =
      /`interject export (.+) DIR` makes the same bytes/.exec(files['README.md'] ?? '')?.[1] ?? '';
    const again = await interject(...onCard.split(' '), 'again');

    expect([shown.code, again.code]).toEqual([0, 0]);
    expect(filesOf(join(folder(), `${format}-data`))).toEqual(files);
    expect(filesOf(join(folder(), 'again'))).toEqual(files);
  });

  it('looks at every event as at any data set, and writes the bare log where no option asks for more', async () => {
    const looked = await interject(...'--format events --check'.split(' '));
    const bare = await interject(...'--format events --out bare'.split(' '));

    expect(looked.code).toBe(0);
    expect(looked.lines.at(-1)).toMatchObject({ type: 'export', format: 'events', rows: 6, files: [] });
    expect(bare.code).toBe(0);
    expect(Object.keys(filesOf(join(folder(), 'bare')))).toEqual(['CHECKSUMS', 'events.jsonl']);
  });

  it('refuses rules that mean nothing to the log itself, by their names', async () => {
    const { code, lines } = await interject(
      ...'--format source --out a --cap 1 --privilege strip --files parquet'.split(' '),
    );
    const table = await interject(...'--format events --out a --files parquet'.split(' '));
    const annotations = await interject(...'--format annotations --out a --scenario shop_1'.split(' '));

    expect([code, annotations.code, table.code]).toEqual([2, 2, 2]);
    expect(lines.at(-1)).toMatchObject({
      message: 'source has no rows: --privilege, --cap, --files parquet cannot hold for it',
    });
    expect(table.lines.at(-1)).toMatchObject({ message: 'events has no columns: it is written as lines' });
    expect(existsSync(join(folder(), 'a'))).toBe(false);
  });

  it('says what it was not told, and what it does not understand', async () => {
    const cases = [
      ['--format', 'sft'],
      ['--format', 'poem', '--out', 'a'],
      ['--format', 'sft', '--out', 'a', '--cap', '0'],
      ['--format', 'sft', '--out', 'a', '--split', 'nowhere.json'],
      ['--format', 'sft', '--out', 'a', '--since', 'nowhere'],
      ['--format', 'sft', '--out', 'a', '--since-date', 'soon'],
      ['--format', 'atif', '--out', 'a', '--arguments', 'string'],
      ['--format', 'openai_sft', '--out', 'a'],
    ];
    for (const args of cases) expect((await interject(...args)).code, args.join(' ')).toBe(2);
  });

  it('refuses verdicts that contradict each other, and files a format cannot be, before it reads the log', async () => {
    const both = await interject('--format', 'sft', '--check', '--completed', '--any');
    const table = await interject('--format', 'atif', '--check', '--files', 'parquet');

    expect([both.code, table.code]).toEqual([2, 2]);
    expect(JSON.stringify(both.lines)).toContain('--completed and --any contradict');
    expect(JSON.stringify(table.lines)).toContain('it is written as lines');
  });
});
