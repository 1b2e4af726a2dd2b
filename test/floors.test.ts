import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** Floors as the plan states them: a room imports from a lower floor of its own house, from itself, or from shared. */
const MAIN: Record<string, number> = {
  log: 1,
  openenv: 1,
  worlds: 1,
  state: 1,
  llm: 1,
  settings: 1,
  reward: 1,
  report: 2,
  agent: 2,
  advisor: 2,
  desk: 2,
  dataset: 2,
  review: 2,
  training: 2,
  environments: 2,
  episode: 3,
  gateway: 4,
  commands: 5,
  app: 6,
  hosts: 7,
  desktop: 8,
};
const RENDERER: Record<string, number> = {
  client: 1,
  ui: 1,
  state: 2,
  parts: 3,
  views: 4,
  'screens.tsx': 5,
  'main.tsx': 6,
};

/** What happened, what it makes of an episode, what is said about it: none knows what is after it. */
const SHARED = ['events', 'episode', 'contract'];
const sharedFloor = (file: string): number => SHARED.indexOf(file.split('/')[2] ?? '');

/** The houses side by side, the highest floor on top. */
function floorPicture(): string {
  const on = (rooms: Record<string, number>, floor: number): string =>
    Object.keys(rooms)
      .filter((room) => rooms[room] === floor)
      .join(' ');
  const rows = [
    ['', 'src/main', 'src/renderer'],
    ...[8, 7, 6, 5, 4, 3, 2, 1].map((floor) => [String(floor), on(MAIN, floor), on(RENDERER, floor)]),
    ['0', 'src/shared', 'src/figures'],
  ];
  const width = Math.max(...rows.map(([, main = '']) => main.length));
  return rows
    .map(([floor = '', main = '', renderer = '']) =>
      `${floor.padEnd(3)}${main.padEnd(width + 3)}${renderer}`.trimEnd(),
    )
    .join('\n');
}

type Import = { from: string; to: string; text: string };

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const importsOf = (file: string): Import[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?<!')(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    (match) => {
      const text = match[1] ?? '';
      const to = text.startsWith('.') ? relative(root, resolve(root, dirname(file), text)) : text;
      return { from: file, to, text };
    },
  );

/** House, room and floor of a file; a view is a room of its own. */
function place(file: string): { house: string; room: string; floor: number } | null {
  const [src, house, room, view] = file.split('/');
  if (src !== 'src' || house === undefined || room === undefined) return null;
  if (house === 'main') return { house, room, floor: MAIN[room] ?? Number.NaN };
  if (house === 'renderer') {
    return {
      house,
      room: room === 'views' ? `views/${view ?? ''}` : room,
      floor: RENDERER[room] ?? Number.NaN,
    };
  }
  return { house, room: house === 'shared' || house === 'figures' ? house : room, floor: 0 };
}

function problemOf({ from, to, text }: Import): string | null {
  const here = place(from);
  if (here === null) return null;
  const say = (why: string): string => `${from} imports ${text}: ${why}`;
  if (!text.startsWith('.')) return packageProblem(here.house, from, text, say);
  const there = place(to);
  if (there === null || /\.(css|svg|json|md)$/.test(to)) return null;
  if (there.house === 'shared') {
    const isUp = here.house === 'shared' && sharedFloor(from) !== -1 && sharedFloor(to) > sharedFloor(from);
    return isUp ? say('events know no episodes, and episodes no contract') : null;
  }
  if (here.house === 'shared') return say('shared imports nothing but itself and two packages');
  if (here.house === 'figures')
    return there.house === 'figures' ? null : say('figures import only themselves and shared');
  if (there.house === 'figures') return null;
  if (there.house !== here.house) return say('another house');
  if (Number.isNaN(here.floor) || Number.isNaN(there.floor)) return say('a room the plan does not know');
  if (here.room === there.room) return null;
  return there.floor < here.floor
    ? null
    : say(`floor ${String(here.floor)} may not reach floor ${String(there.floor)}`);
}

function packageProblem(
  house: string,
  from: string,
  text: string,
  say: (why: string) => string,
): string | null {
  const isIn = (...folders: string[]): boolean => folders.some((folder) => from.startsWith(folder));
  if (house === 'shared' && !['zod', 'zod/mini', '@cfworker/json-schema'].includes(text)) {
    return say('shared knows zod and the validator of JSON Schema only');
  }
  if (house === 'figures' && text !== 'd3-scale') return say('figures know d3-scale only');
  if (text.startsWith('node:') && !isIn('src/main/')) return say('node belongs to main');
  if (text === 'better-sqlite3' && !isIn('src/main/log/', 'src/main/worlds/', 'src/main/state/')) {
    return say('SQLite belongs to log, worlds and state');
  }
  if (text === 'electron' && !isIn('src/main/desktop/', 'src/preload/')) {
    return say('electron belongs to its host and the preload');
  }
  return null;
}

describe('the floor plan', () => {
  it('lets a room import only from a lower floor, from itself or from shared', () => {
    const problems = sources('src')
      .flatMap(importsOf)
      .map(problemOf)
      .filter((problem) => problem !== null);

    expect(problems).toEqual([]);
  });

  it('would notice a view that imports its sibling, a room or an event that reaches up, and shared that knows node', () => {
    const seen = [
      {
        from: 'src/renderer/views/desk/Desk.tsx',
        to: 'src/renderer/views/episode/Live.tsx',
        text: '../live/Live.tsx',
      },
      { from: 'src/figures/a.ts', to: 'src/renderer/ui/cx.ts', text: '../renderer/ui/cx.ts' },
      { from: 'src/figures/a.ts', to: 'react', text: 'react' },
      { from: 'src/main/log/a.ts', to: 'src/main/desk/b.ts', text: '../desk/b.ts' },
      { from: 'src/shared/a.ts', to: 'node:fs', text: 'node:fs' },
      {
        from: 'src/shared/events/a.ts',
        to: 'src/shared/contract/row.ts',
        text: '../contract/row.ts',
      },
    ].map(problemOf);

    expect(seen).not.toContain(null);
  });
});

/** Who opens ports and sockets: the listener, the tap's own process, and the look whether a port is free. */
const LISTENERS = [
  'src/main/gateway/tap/child/tapProcess.ts',
  'src/main/hosts/listener.ts',
  'src/main/hosts/ports.ts',
];

describe('a port, and a socket of this machine', () => {
  it('is opened by the listener alone, but for the tap’s own', () => {
    const opening = sources('src').filter((file) =>
      /\bcreateServer\b|\bnew WebSocketServer\b/.test(readFileSync(join(root, file), 'utf8')),
    );

    expect(opening.toSorted()).toEqual(LISTENERS);
  });
});

/** How many files a reader opens at most. A frame that is held is one more: `gateway/tap/stepIn.ts`. */
const PATHS: Readonly<Record<string, number>> = {
  'An answer, from the key to the agent': 15,
  'Back to the screen, for every path': 4,
  'A held call': 15,
  'A frame through the tap': 15,
  'An imported record': 14,
  'An exported row': 15,
};

type Stop = { file: string; hop: string };

/** The lists of ARCHITECTURE.md, by their titles. */
const pathLists = (): { title: string; stops: Stop[] }[] => {
  const [, section = ''] =
    /^## Five paths\n([^]*?)(?=^## )/m.exec(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')) ?? [];
  return section
    .split(/^### /m)
    .slice(1)
    .map((list) => ({
      title: list.split('\n', 1)[0] ?? '',
      stops: [...list.matchAll(/^\d+\. `([^`]+)` .*?(?:\(([^()]+)\))?$/gm)].map(
        ([, file = '', hop = '']) => ({ file, hop }),
      ),
    }));
};

const imports = (from: string, to: string): boolean => importsOf(from).some((one) => one.to === to);
const areLinked = (a: string, b: string): boolean => imports(a, b) || imports(b, a);

/** Why a stop cannot be reached from those before it; null where it can. */
function stopProblem({ file, hop }: Stop, before: readonly Stop[]): string | null {
  if (!existsSync(join(root, file))) return `${file} is not there`;
  if (['a command', 'a message', 'a log event', 'a push'].includes(hop)) return null;
  const [, wiring = null] = /^wired by `(.+)`$/.exec(hop) ?? [];
  if (wiring === null)
    return before.length === 0 || before.some((one) => imports(one.file, file))
      ? null
      : `nothing before ${file} imports it`;
  const isWired = areLinked(wiring, file) && before.some((one) => areLinked(wiring, one.file));
  return isWired ? null : `${wiring} does not join ${file} to what is before it`;
}

describe('the five paths of ARCHITECTURE.md', () => {
  it('can be followed from file to file, and are no longer than they may be', () => {
    const lists = pathLists();

    expect(lists.map(({ title }) => title)).toEqual(Object.keys(PATHS));
    for (const { title, stops } of lists) {
      expect(stops.length, title).toBeLessThanOrEqual(PATHS[title] ?? 0);
      const problems = stops.map((stop, at) => stopProblem(stop, stops.slice(0, at)));
      expect(
        problems.filter((problem) => problem !== null),
        title,
      ).toEqual([]);
    }
  });

  it('would notice a file that is gone, and one that nothing leads to', () => {
    const first = { file: 'src/main/desk/desk.ts', hop: '' };

    expect(stopProblem({ file: 'src/main/desk/gone.ts', hop: '' }, [first])).toMatch('is not there');
    expect(stopProblem({ file: 'src/renderer/main.tsx', hop: '' }, [first])).toMatch('nothing before');
  });
});

describe('the budgets', () => {
  it('keeps the median file under 150 lines, and nothing over the hard limit', () => {
    const lengths = sources('src')
      .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n').length }))
      .toSorted((a, b) => a.lines - b.lines);

    expect(lengths[Math.floor(lengths.length / 2)]?.lines ?? 0).toBeLessThan(150);
    expect(lengths.filter(({ lines }) => lines > 500)).toEqual([]);
  });
});

describe('the picture of the floors in ARCHITECTURE.md', () => {
  it('is the one that this test holds the imports to', async () => {
    const file = join(root, 'ARCHITECTURE.md');
    const drawn = readFileSync(file, 'utf8').replace(
      /^```text\n[^]*?^```$/m,
      `\`\`\`text\n${floorPicture()}\n\`\`\``,
    );

    await expect(drawn).toMatchFileSnapshot(file);
  });
});
