// What the commands of the command line print with --json, and the exit code of each: programs read both.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOf } from '../../support/filesOf.ts';
import { runInProcess } from '../../support/inProcess.ts';
import { startOpenAiServer, type OpenAiServer } from '../../support/openaiServer.ts';
import { endTap, startServing } from '../../support/serving.ts';
import { createMask, pinsOf } from './pinned.ts';
import { PACK, playScene, withoutDurations, type Scene } from './scene.ts';

const pin = pinsOf('commands');
let folder = '';
let scene: Scene;
let model: OpenAiServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interject-outside-'));
  mkdirSync(join(folder, 'home'));
  scene = await playScene(join(folder, 'home'));
  model = await startOpenAiServer(() => ({ content: 'I am done.' }));
});
afterAll(async () => {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a doctor finds of the machine is not the product's. */
const MACHINE = /(?<="name":"(?:runtime|build|disk space|gateway ports|desktop)"),.*(?=\})/;
/** How full the pages of a database are differs from run to run: its size is no fact of the log. */
const PAGES = /(?<=finds no fault in )\d+(?:\.\d+)?(?= MiB)/;
const ofThisMachine = (line: string): string => line.replace(MACHINE, ',"…":"…"').replace(PAGES, '…');
/** A backup names the sums of files that hold ports and folders. */
const withoutSums = (line: string): string =>
  line.startsWith('{"type":"backup"')
    ? line.replaceAll(/"(sha256|bytes)":("[0-9a-f]{64}"|\d+)/g, '"$1":"…"')
    : line;

/** Types each command, one after the other, and pins what all of them wrote. */
async function hold(
  name: string,
  typed: readonly (readonly string[])[],
  out: readonly string[] = [],
): Promise<void> {
  const mask = createMask([folder]);
  const texts: Record<string, string> = {};
  for (const [at, args] of typed.entries()) {
    const data = args[0] === 'world' ? [] : ['--data', join(folder, 'home')];
    const { code, lines } = await withoutDurations(() => runInProcess(folder, [...args, ...data, '--json']));
    const printed = lines.map((line) => ofThisMachine(mask(withoutSums(JSON.stringify(line)))));
    texts[mask(`${String(at + 1)}. interject ${args.join(' ')}`)] = [
      ...printed,
      `exit code ${String(code)}`,
    ].join('\n');
  }
  for (const each of out)
    for (const [file, text] of Object.entries(filesOf(join(folder, each))))
      texts[`${each}/${file}`] = file.startsWith('figures/') ? 'a figure' : mask(text);
  await pin(name, texts);
}

const rehearse = ['run', '--world', PACK, '--agent', 'rehearsal'];

describe('a program that reads what a command prints with --json goes on reading it:', () => {
  it('run', async () => {
    const answers = [
      { ask: 1, do: 'send', text: 'list_workspaces({})' },
      { ask: 2, do: 'decline', reason: 'Enough.' },
    ];
    writeFileSync(join(folder, 'answers.jsonl'), answers.map((line) => JSON.stringify(line)).join('\n'));
    await hold('run', [
      [...rehearse, '--task', '0', '--condition', 'model', '--run', 'pinned'],
      [...rehearse, '--task', '0-1', '--condition', 'human+draft', '--answers', 'answers.jsonl'],
      [...rehearse, '--task', '0', '--condition', 'none', '--episodes', '2', '--seed', '4'],
      [
        'run',
        '--world',
        PACK,
        '--task',
        '0',
        '--condition',
        'none',
        '--agent-model',
        'scripted',
        '--agent-base-url',
        model.url,
      ],
      [...rehearse, '--task', '999'],
      ['run', '--world', 'nope', '--task', '0'],
      ['run', '--nonsense'],
    ]);
  });

  it('bench, and the report of one', async () => {
    const tasks = [0, 1, 2].map((task) => [PACK, task]);
    writeFileSync(join(folder, 'split.json'), JSON.stringify({ meta: {}, train: [], val: tasks }));
    const plan = [
      'bench',
      '--split',
      'split.json',
      '--section',
      'val',
      '--conditions',
      'none,model',
      '--seeds',
      '2',
    ];
    await hold(
      'bench',
      [
        [
          ...plan,
          '--privileged',
          '--agent',
          'rehearsal',
          '--concurrency',
          '1',
          '--name',
          'b',
          '--out',
          'bench',
        ],
        ['report', 'b', '--out', 'report'],
        ['bench'],
      ],
      ['bench', 'report'],
    );
  });

  it('report', () =>
    hold(
      'report',
      [
        ['report', 'scene'],
        ['report', scene.edited, '--out', 'episode'],
        ['report', 'nope', '--out', 'none'],
      ],
      ['episode'],
    ));

  it('import', async () => {
    mkdirSync(join(folder, 'in'));
    const row = {
      messages: [
        { role: 'user', content: 'Hi.' },
        { role: 'assistant', content: 'Hello.' },
      ],
    };
    writeFileSync(join(folder, 'in', 'chat.jsonl'), `${JSON.stringify(row)}\n`);
    writeFileSync(join(folder, 'in', 'broken.jsonl'), `${JSON.stringify(row)}\n{"messages":\n`);
    writeFileSync(join(folder, 'in', 'notes.txt'), 'Nothing to see here.');
    await hold('import', [
      ['import', 'in'],
      ['import', 'in/broken.jsonl', '--strict'],
      ['import', 'nowhere'],
    ]);
  });

  it('export', () =>
    hold('export', [
      ['export', '--format', 'sft', '--check'],
      ['export', '--format', 'sft', '--episode', 'nope', '--out', 'none'],
      ['export', '--format', 'nope', '--out', 'none'],
    ]));

  it('world', () =>
    hold('world', [
      ['world', 'list'],
      ['world', 'check', PACK],
      ['world', 'check', 'nope'],
    ]));

  it('doctor', () => hold('doctor', [['doctor']]));

  it('invite', () =>
    hold('invite', [
      ['invite', 'Ada', '--days', '2'],
      ['invite', '--days', 'x'],
    ]));

  it('erase, and a backup and a repair after it', () =>
    hold('erase', [
      ['erase', scene.accepted, '--reason', 'They asked for it.'],
      ['erase', 'nope'],
      ['backup', '--out', 'backup'],
      ['backup', '--out', 'backup'],
      ['repair', '--out', 'repaired'],
    ]));

  it('serve', async () => {
    const home = join(folder, 'served');
    const serving = await startServing(home, ['--port', '0']);
    const mask = createMask([folder]);
    const ready = mask(JSON.stringify(serving.ready));
    serving.interrupt();
    const code = await serving.ended;
    endTap(home);
    await pin('serve', { 'interject serve': `${ready}\nexit code ${String(code)}` });
    expect(code).toBe(0);
  });
});
