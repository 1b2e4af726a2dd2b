// Kills a process that archives or brings back, and has Python's SQLite say what the log and its files hold after that.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from './children.ts';

export type KillPoint = {
  act: 'archive' | 'back';
  stage: string;
  /** After so many steps of the stage. */
  lines: number;
  /** How long it goes on after that before it is killed, so that a step may be half done; else it waits to be killed. */
  runsOnMs?: number;
};

/** A process that says when it is where it is to be killed. It waits there, or goes on. */
const CHILD = `
  import { writeSync } from 'node:fs';
  import { join } from 'node:path';
  const { openDataFolder } = await import(src + '/main/log/openLog.ts');
  const { archiveEpisodes, bringEpisodesBack } = await import(src + '/main/log/archiveRun.ts');
  const { openSearch } = await import(src + '/main/log/searchIndex.ts');
  const [folder, act, name, at, lines, waits] = process.argv.slice(1);
  let left = Number(lines);
  const onProgress = ({ stage }) => {
    if (stage !== at) return;
    left -= 1;
    if (left !== 0) return;
    writeSync(1, 'here\\n');
    if (waits === 'waits') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  const report = (thrown) => { throw thrown; };
  const { log, db, close } = openDataFolder(folder, { clock: Date.now, report, tell: () => undefined });
  openSearch(db, log, { schedule: () => () => undefined, report }).searchIndex.catchUp();
  const hooks = {
    actor: { type: 'human', id: null },
    signal: new AbortController().signal,
    onProgress,
  };
  if (act === 'archive')
    await archiveEpisodes(log, join(folder, 'archives', name), { episodes: log.projections.ended(), isCompacted: true, ...hooks });
  else await bringEpisodesBack(log, { episodes: log.archives.episodes(), ...hooks });
  close();
`;

/** Ends the process with SIGKILL where the point says. False when it had nothing to do, or was done before. */
export async function killAt(folder: string, name: string, point: KillPoint): Promise<boolean> {
  const { act, stage, lines, runsOnMs } = point;
  const waits = runsOnMs === undefined ? 'waits' : 'runs';
  const child = startChild(CHILD, [folder, act, name, stage, String(lines), waits]);
  if ((await child.line()) !== null) {
    if (runsOnMs !== undefined) await new Promise((go) => setTimeout(go, runsOnMs));
    child.process.kill('SIGKILL');
  }
  const exit = await child.ended;
  if (exit !== null && exit !== 0) throw new Error('archiving failed before it could be killed');
  return exit === null;
}

// An episode lies in a file when the last word on it in the log is that it was archived; then no row of it is in the log.
const READER = `
import sqlite3, sys, json, glob, hashlib, os
folder = sys.argv[1]
columns = 'seq, stream, n, at, kind, actor, body'
log = sqlite3.connect(os.path.join(folder, 'interject.db'))
rows = log.execute('SELECT ' + columns + ' FROM events').fetchall()
last = {}
for seq, stream, n, at, kind, actor, body in sorted(rows):
    if stream.startswith('archive/'):
        said = json.loads(body)
        last[said['episode']] = said['file'] if kind == 'episode.archived' else None
own = [row for row in rows if not row[1].startswith('archive/')]
inside = set(row[1] for row in own)
away = {episode: file for episode, file in last.items() if file is not None}
doubled = sorted(episode for episode in away if episode in inside)
texts = dict(log.execute('SELECT sha256, text FROM texts'))
for file in sorted(set(away.values())):
    db = sqlite3.connect('file:' + os.path.join(folder, file) + '?mode=ro', uri=True)
    own += [row for row in db.execute('SELECT ' + columns + ' FROM events') if away.get(row[1]) == file]
    texts.update(db.execute('SELECT sha256, text FROM texts'))
numbers = [row[0] for row in own]
print(json.dumps({
    'events': len(own), 'doubled': doubled, 'twice': len(numbers) - len(set(numbers)), 'away': len(away),
    'sha256': hashlib.sha256(json.dumps(sorted(own)).encode()).hexdigest(),
    'texts': hashlib.sha256(json.dumps(sorted(texts.items())).encode()).hexdigest(),
    'integrity': log.execute('PRAGMA integrity_check').fetchone()[0],
}))
`;

export type Holdings = {
  events: number;
  /** Episodes whose events are in the log and that are said to lie in a file. */
  doubled: string[];
  /** Numbers that two events have. */
  twice: number;
  /** Episodes that lie in files. */
  away: number;
  /** Over every event, wherever it is, and over every long text. */
  sha256: string;
  texts: string;
  integrity: string;
};

export const holdingsOf = (folder: string): Holdings =>
  JSON.parse(execFileSync('python3', ['-c', READER, folder], { encoding: 'utf8' })) as Holdings;

/** Files that an archiving had begun and that nobody proved. */
export const draftsIn = (folder: string): string[] => {
  const archives = join(folder, 'archives');
  return existsSync(archives) ? readdirSync(archives).filter((name) => name.startsWith('.')) : [];
};
