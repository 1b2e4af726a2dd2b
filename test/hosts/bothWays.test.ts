// Every command that asks a product is typed in both ways: in a folder that nobody has open, and in a copy that Interject has open. Both
// must say and write the same but for ids and times.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bothSay as typeInBoth, numberIds, type Told } from '../support/bothWays.ts';
import { filesOf } from '../support/filesOf.ts';
import { killedCopy } from '../support/dataFolder.ts';
import { openHost, type Host } from '../support/host.ts';
import { openLog } from '../support/log.ts';
import { episodeEntries } from '../support/manyEpisodes.ts';

let alone = '';
let beside = '';
let host: Host;
beforeAll(async () => {
  alone = mkdtempSync(join(tmpdir(), 'interject-alone-'));
  beside = mkdtempSync(join(tmpdir(), 'interject-beside-'));
  mkdirSync(join(alone, 'home'));
  const log = openLog(join(alone, 'home', 'interject.db'));
  for (let i = 0; i < 6; i += 1) {
    const id = `e${String(i)}`;
    const over = { task_idx: i % 3, number: i, isAdvised: i % 2 === 0 };
    log.importStreams([{ stream: id, entries: episodeEntries(id, 1, over) }]);
  }
  log.close();
  chmodSync(join(alone, 'home', 'interject.db'), 0o600);
  killedCopy(join(alone, 'home'), join(beside, 'home'));
  host = await openHost(beside);
});
afterAll(async () => {
  await host.stop();
  for (const folder of [alone, beside]) rmSync(folder, { recursive: true, force: true });
});

const bothSay = (...args: string[]): Promise<Told> => typeInBoth(alone, beside, args);

const TRACE = JSON.stringify({
  messages: [
    { role: 'user', content: 'Buy milk.' },
    { role: 'assistant', content: 'Done.' },
  ],
});

describe('a command through an open Interject', () => {
  it.each([
    ['sft', ['--json']],
    ['grpo', ['--files', 'parquet']],
    ['events', []],
    ['annotations', []],
  ])('exports %s byte for byte as alone', async (format, more) => {
    const out = `data-${format}`;
    await bothSay('export', '--format', format, '--out', out, ...more);

    expect(filesOf(join(beside, out))).toEqual(filesOf(join(alone, out)));
  });

  it.each([
    ['report', 'e1', '--out', 'report-e1'],
    ['export', '--format', 'sft', '--check'],
    ['export', '--format', 'dpo', '--out', 'no-rows'],
    ['run', '--world', 'nowhere', '--task', '0'],
  ])('reads as alone: %s %s', async (...args) => {
    await bothSay(...args);
  });

  it('imports a file and a folder as alone, and again as known', async () => {
    for (const folder of [alone, beside]) {
      mkdirSync(join(folder, 'logs'));
      writeFileSync(join(folder, 'logs', 'chat.jsonl'), `${TRACE}\n${TRACE.replace('milk', 'bread')}\n`);
      writeFileSync(join(folder, 'logs', 'notes.txt'), 'nothing');
      writeFileSync(join(folder, 'logs', 'steps.csv'), 'step,reward\n1,0.5\n2,0.6\n');
    }
    const first = await bothSay('import', 'logs/chat.jsonl', '--json');
    await bothSay('import', 'logs', '--json');
    await bothSay('import', 'logs/notes.txt', 'nowhere.jsonl');

    expect(first.code).toBe(0);
    expect(first.written.match(/"type":"episode"/g)).toHaveLength(2);
    expect(host.log.streams('').filter((stream) => host.log.record(stream).imported !== null)).toHaveLength(
      2,
    );
    await bothSay('export', '--format', 'source', '--out', 'sources');
    expect(readFileSync(join(beside, 'logs', 'chat.jsonl'), 'utf8')).toContain('milk');
  });

  it('runs episodes of a built-in world as alone, answered by a file', async () => {
    for (const folder of [alone, beside])
      writeFileSync(join(folder, 'answers.jsonl'), '{"ask":1,"do":"accept"}\n');
    const args = '--world loomline_workflows --task 0-1 --agent rehearsal --condition human+draft';
    const told = await bothSay(
      'run',
      ...args.split(' '),
      '--answers',
      'answers.jsonl',
      '--run',
      'r',
      '--json',
    );

    expect(told.code).toBe(0);
    expect(told.written.match(/"type":"episode"/g)).toHaveLength(2);
    const again = await bothSay('run', ...args.split(' '), '--answers', 'answers.jsonl', '--run', 'r');
    expect(again.said).toContain('2 of 2 episodes of run r are over already.');
  });

  it('benches two arms as alone, with the same summary', async () => {
    const split = { train: [], val: [['loomline_workflows', 0]] };
    for (const folder of [alone, beside]) writeFileSync(join(folder, 'split.json'), JSON.stringify(split));
    const args =
      '--split split.json --conditions none,model --agent rehearsal --seeds 2 --concurrency 1 --privileged';
    const told = await bothSay('bench', ...args.split(' '), '--name', 'b', '--out', 'bench', '--json');

    expect([told.code, told.code === 0 ? '' : told.written]).toEqual([0, '']);
    expect(told.written.match(/"type":"progress"/g)).toHaveLength(4);
    expect(filesOf(join(beside, 'bench'))).toEqual(filesOf(join(alone, 'bench')));
  });

  it('measures answers as alone, with the same report, and not twice', async () => {
    const advised =
      'run --world loomline_workflows --task 1 --agent rehearsal --condition model --run advised';
    await bothSay(...advised.split(' '));
    const args =
      'bench --from-questions advised --seeds 1 --concurrency 1 --name worth --out lift --json'.split(' ');
    const told = await bothSay(...args);
    const again = await bothSay(...args);

    expect(told.code).toBe(0);
    expect(told.written.match(/"type":"progress"/g)).toHaveLength(2);
    expect(again.written).not.toContain('"type":"progress"');
    const [one, other] = [alone, beside].map((at) => numberIds()(JSON.stringify(filesOf(join(at, 'lift')))));
    expect(other).toBe(one);
    await bothSay('bench', '--from-questions', 'nobody', '--json');
  });

  it('erases as alone, and makes and lists invites', async () => {
    await bothSay('erase', 'e5', '--json');

    expect(JSON.stringify(host.log.read('e5'))).toContain('episode.erased');
    await bothSay('invite');
  });

  it('splits as alone, with the same manifest, and holds it', async () => {
    const args = '--world loomline_workflows --task 0-2 --rollouts 0 --name s --out s.json --json';
    const told = await bothSay('bench', 'split', ...args.split(' '));

    expect(told.code).toBe(0);
    expect(readFileSync(join(beside, 's.json'), 'utf8')).toBe(readFileSync(join(alone, 's.json'), 'utf8'));
    await bothSay('bench', 'split', '--unpin', 's', '--json');
  });
});
