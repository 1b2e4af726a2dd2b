import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../support/inProcess.ts';
import { openLog } from '../support/log.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const cli = resolve(import.meta.dirname, '../../src/main/hosts/cli.ts');

const folder = folderPerTest();

/** The command as a person types it, in their folder. */
const interject = (...args: string[]) =>
  runInProcess(folder(), [...args, '--data', join(folder(), 'home'), '--json']);

const row = (content: string): string =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content },
      { role: 'assistant', content: 'b' },
    ],
  })}\n`;

/** A row whose reply says more under a name that nobody reads. */
const rated = (name: string, value: string): string =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', [name]: value },
    ],
  })}\n`;

describe('interject import', () => {
  it('takes a trainer’s log that is named into the run of its name, and says what it left out', async () => {
    writeFileSync(
      join(folder(), 'night.jsonl'),
      '{"step":1,"reward":0.5,"loss":2}\n{"step":2,"reward":NaN}\n',
    );
    const { code, lines, said } = await interject('import', 'night.jsonl');

    expect(code).toBe(0);
    expect(lines).toEqual([
      {
        type: 'training_run',
        run: 'night',
        source: 'jsonl',
        steps: 2,
        unread: ['reward is NaN or Infinity once: step 2', 'loss'],
      },
    ]);
    expect(said).toContain('night.jsonl: a trainer’s log, 2 steps of the run night');
    expect(said).toContain('Not read: reward is NaN or Infinity once: step 2; loss');
  });

  it('keeps two trainers’ logs of one name apart, and knows the one that goes on', async () => {
    const state = (...rewards: number[]) =>
      JSON.stringify({ log_history: rewards.map((reward, at) => ({ step: at + 1, reward, loss: 1 })) });
    for (const name of ['runA', 'runB']) mkdirSync(join(folder(), name));
    writeFileSync(join(folder(), 'runA/trainer_state.json'), state(0.1, 0.2));
    writeFileSync(join(folder(), 'runB/trainer_state.json'), state(0.5, 0.6));
    const first = await interject('import', 'runA/trainer_state.json', 'runB/trainer_state.json');
    expect(first.code).toBe(0);
    expect(first.lines.map(({ run }) => run)).toEqual(['trainer_state', 'trainer_state (2)']);
    expect(first.said).toContain(
      'runB/trainer_state.json is of another run than runA/trainer_state.json, which has the name trainer_state',
    );
    writeFileSync(join(folder(), 'runB/trainer_state.json'), state(0.5, 0.6, 0.7));
    const on = await interject('import', 'runB/trainer_state.json');
    expect(on.lines).toMatchObject([{ run: 'trainer_state (2)', steps: 3 }]);
    const named = await interject('import', 'runB/trainer_state.json', '--name', 'b');
    expect(named.lines).toMatchObject([{ run: 'b', steps: 3 }]);
    const refused = await interject('import', 'runA/trainer_state.json', '--name', 'b');
    expect(refused.code).toBe(1);
    expect(refused.said).toContain('runA/trainer_state.json is of another run than runB/trainer_state.json');
  });

  it('reads trainers’ logs in a folder, and says of a named one what it lacks', async () => {
    mkdirSync(join(folder(), 'night'));
    writeFileSync(join(folder(), 'night/log.csv'), 'step,reward\n1,0.5\n');
    writeFileSync(join(folder(), 'night/other.txt'), 'nothing\n');
    writeFileSync(join(folder(), 'nostep.csv'), 'epoch,reward\n1,0.5\n');
    const found = await interject('import', 'night');
    expect(found.code).toBe(0);
    expect(found.lines).toMatchObject([{ type: 'training_run', run: 'log', steps: 1 }, { type: 'file' }]);
    const lacking = await interject('import', 'nostep.csv');
    expect(lacking.code).toBe(1);
    expect(lacking.said).toContain('no step column');
    expect(lacking.said).not.toContain('none of the formats');
  });

  it('with --strict is not done where a row or value of a trainer’s log was not read', async () => {
    writeFileSync(join(folder(), 'odd.jsonl'), '{"step":1,"reward":0.5}\n{"reward":1}\n');
    writeFileSync(join(folder(), 'fine.jsonl'), '{"step":1,"reward":0.5,"loss":2}\n');
    expect((await interject('import', 'odd.jsonl')).code).toBe(0);
    expect((await interject('import', 'odd.jsonl', '--strict')).code).toBe(1);
    expect((await interject('import', 'fine.jsonl', '--strict')).code).toBe(0);
  });

  it('gives episodes whose shortened ids a report tells to be those of several', async () => {
    writeFileSync(join(folder(), 'rows.jsonl'), `${row('a')}${row('b')}`);
    const { lines } = await interject('import', 'rows.jsonl');
    const [one = '', other = ''] = lines.map(({ episode }) => String(episode));
    let shared = 0;
    while (one[shared] === other[shared]) shared += 1;
    const { code, lines: told } = await interject('report', one.slice(0, shared), '--out', 'r');
    expect(code).toBe(2);
    expect(JSON.stringify(told)).toContain('begins the ids of 2 episodes');
  });

  it('prints a line an episode and a report a file, and is done when every file gave one', async () => {
    writeFileSync(join(folder(), 'rows.jsonl'), `${row('a')}broken\n${row('b')}`);
    const { code, lines, said } = await interject('import', 'rows.jsonl');

    expect(code).toBe(0);
    expect(lines.map(({ type }) => type)).toEqual(['episode', 'episode', 'file']);
    expect(lines[0]).toMatchObject({ format: 'chat', index: 0, is_known: false, turns: 1, outcome: 'done' });
    expect(lines[2]).toMatchObject({
      format: 'chat',
      episodes: 2,
      skipped: 1,
      diagnostics: [{ code: 'broken_json', pointer: 'line 2', count: 1 }, { code: 'not_all_read' }],
    });
    expect((await interject('import', 'rows.jsonl', '--strict')).code).toBe(1);
    expect(said).toContain('does not record: times');

    const again = await interject('import', 'rows.jsonl');
    expect(again.code).toBe(0);
    expect(again.lines[0]).toMatchObject({ is_known: true, episode: lines[0]?.['episode'] });
  });

  it('fails for a file that gave none, and names it, but not for what lies about in a folder', async () => {
    writeFileSync(join(folder(), 'letter.txt'), 'Dear reader');
    const bad = await interject('import', 'letter.txt', 'missing.json');
    expect(bad.code).toBe(1);
    expect(bad.lines.filter(({ type }) => type === 'error').map(({ code }) => code)).toEqual([
      'import_failed',
      'not_found',
    ]);

    mkdirSync(join(folder(), 'run'));
    writeFileSync(join(folder(), 'run/readme.md'), '# no log');
    writeFileSync(join(folder(), 'run/rows.jsonl'), row('a'));
    expect((await interject('import', 'run')).code).toBe(0);
    expect((await interject('import')).code).toBe(2);
  });

  it('fails with --strict where text or a label was not read, and keeps the episode', async () => {
    writeFileSync(join(folder(), 'plain.jsonl'), row('a'));
    expect((await interject('import', 'plain.jsonl', '--strict')).code).toBe(0);
    const words = 'the reply '.repeat(20);
    const label = {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: words, rating: 3 },
      ],
    };
    writeFileSync(join(folder(), 'rated.jsonl'), `${JSON.stringify(label)}\n`);
    const { code, lines } = await interject('import', 'rated.jsonl', '--strict');

    expect(code).toBe(1);
    expect(lines.map(({ type }) => type)).toEqual(['episode', 'file']);
    expect(lines[1]).toMatchObject({
      episodes: 1,
      error: null,
      conservation: { not_read: [{ path: 'messages.*.rating', is_label: true }] },
      diagnostics: [{ code: 'not_all_read' }],
    });

    writeFileSync(join(folder(), 'rated too.jsonl'), `${JSON.stringify(label)}\n\n`);
    expect((await interject('import', 'rated too.jsonl')).code).toBe(0);
  });

  it('fails with --strict the second time as well, with the same words', async () => {
    const aside = rated('rating', 'good') + rated('aside', 'x'.repeat(3));
    writeFileSync(join(folder(), 'rated.jsonl'), aside);
    const once = await interject('import', 'rated.jsonl', '--strict', '--lossy');
    const again = await interject('import', 'rated.jsonl', '--strict');
    const unread = ({ lines }: typeof once) => {
      const { diagnostics } = lines.at(-1) as { diagnostics: { code: string; message: string }[] };
      return diagnostics.find(({ code }) => code === 'not_all_read')?.message;
    };

    expect([once.code, again.code]).toEqual([1, 1]);
    expect(again.lines.at(-1)).toMatchObject({
      episodes: 2,
      known: 2,
      conservation: once.lines.at(-1)?.['conservation'],
    });
    expect(unread(once)).toContain('not read: messages.*.rating, messages.*.aside');
    expect(unread(again)).toBe(unread(once));
    expect((await interject('import', 'rated.jsonl')).code).toBe(0);
  });

  it('reads a file that grew, changed or was erased from as what it is, and the log holds just that', async () => {
    const said = (...contents: string[]): string =>
      `${JSON.stringify({
        messages: contents.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content })),
      })}\n`;
    const files = [
      [said('Hi.', 'Hello.'), []],
      [said('Hi.', 'Hello.'), ['already_imported']],
      [said('Hi.', 'Hello.', 'Bye.', 'See you.'), ['grown']],
      [said('Hi.', 'Good day.'), ['changed']],
    ] as const;
    for (const [file, expected] of files) {
      writeFileSync(join(folder(), 'a.jsonl'), file);
      const { code, lines } = await interject('import', 'a.jsonl', '--strict');
      const { diagnostics } = lines.at(-1) as { diagnostics: { code: string }[] };
      expect([code, diagnostics.map((one) => one.code)]).toEqual([0, expected]);
    }
    const log = openLog(join(folder(), 'home', 'interject.db'));
    const held = new Map(log.projections.ended().map((id) => [log.record(id).ended?.final_answer, id]));
    expect(new Set(held.keys())).toEqual(new Set(['Good day.', 'Hello.', 'See you.']));
    log.close();

    expect((await interject('erase', held.get('Good day.') ?? '')).code).toBe(0);
    const again = await interject('import', 'a.jsonl');
    expect(again.code).toBe(0);
    expect(again.lines).toMatchObject([{ episodes: 0, diagnostics: [{ code: 'erased_here' }], error: null }]);
  });

  it('refuses a file of which less than half was read, and takes it in with --lossy', async () => {
    writeFileSync(join(folder(), 'lost.jsonl'), rated('elsewhere', 'What really happened. '.repeat(40)));

    const refused = await interject('import', 'lost.jsonl');
    expect(refused.code).toBe(1);
    expect(refused.lines.map(({ type }) => type)).toEqual(['file', 'error']);
    expect(refused.lines[0]).toMatchObject({
      episodes: 0,
      conservation: { not_read: [{ path: 'messages.*.elsewhere', is_label: false }] },
      error: { code: 'import_failed' },
    });
    expect(refused.lines[1]).toMatchObject({ code: 'import_failed' });
    expect(refused.lines[1]?.['next']).toContain('--lossy');

    const taken = await interject('import', 'lost.jsonl', '--lossy');
    expect(taken.code).toBe(0);
    expect(taken.lines.map(({ type }) => type)).toEqual(['episode', 'file']);
    expect(taken.lines[0]).toMatchObject({
      is_known: false,
      conservation: { not_read: [{ path: 'messages.*.elsewhere' }] },
    });
    expect(taken.said).toContain('not read: messages.*.elsewhere');
  });

  it('takes away what a killed import left behind', async () => {
    mkdirSync(join(folder(), 'home/sources'), { recursive: true });
    writeFileSync(join(folder(), 'home/sources/.incoming-old'), 'half of it');
    writeFileSync(join(folder(), 'rows.jsonl'), row('a'));

    expect((await interject('import', 'rows.jsonl')).code).toBe(0);
    expect(partial()).toEqual([]);
  });

  it.each([['stdout', '--json'] as const, ['stderr'] as const])(
    'ends in order when nobody reads its %s any more',
    async (stream, ...flags) => {
      mkdirSync(join(folder(), 'run'));
      for (let at = 0; at < 2_000; at += 1)
        writeFileSync(join(folder(), `run/${String(at)}.jsonl`), row(String(at)).repeat(2));
      const sources = join(folder(), 'home/sources');
      const kept = (): number =>
        existsSync(sources) ? readdirSync(sources).filter((name) => !name.startsWith('.')).length : 0;
      const args = [cli, 'import', 'run', '--data', join(folder(), 'home'), ...flags];
      const child = spawn(process.execPath, args, { env: { ...process.env, INIT_CWD: folder() } });
      // Not before something was kept: on a slow machine the first words come sooner.
      child[stream].on('data', () => {
        if (kept() > 0) child[stream].destroy();
      });
      let said = '';
      child.stderr.on('data', (words: Buffer) => (said += words.toString()));
      const code = await new Promise((settle) => child.once('close', settle));

      expect(code).toBe(1);
      expect(said).not.toContain('EPIPE');
      expect(partial()).toEqual([]);
      expect(readdirSync(join(folder(), 'home'))).not.toContain('interject.lock');
      expect(kept()).toBeGreaterThan(0);
      expect(kept()).toBeLessThan(2_000);
    },
  );

  it('says once why a file could not be read, and how it is encoded', async () => {
    writeFileSync(join(folder(), 'none.jsonl'), '');
    writeFileSync(
      join(folder(), 'cut.json'),
      '{"trajectory":[{"action":"ls","observation":"x"}],"history":[{"role":"us',
    );
    writeFileSync(join(folder(), 'wide.jsonl'), Buffer.from(row('a'), 'utf16le'));
    const { said } = await interject('import', 'none.jsonl', 'cut.json', 'wide.jsonl');

    expect(said.split('the file is empty')).toHaveLength(2);
    expect(said).toContain('cut off or broken: it ends in the middle at /history/0\n');
    expect(said.split('it ends in the middle')).toHaveLength(2);
    expect(said).toContain('UTF-16LE; read as such\n');
  });
});

const partial = (): string[] =>
  readdirSync(join(folder(), 'home/sources')).filter((name) => name.startsWith('.'));
