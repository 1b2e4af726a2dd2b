import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  advised,
  edited,
  GOOD,
  labelled,
  severalCalls,
  solo,
  type Made,
} from '../../dataset/export/episodes.ts';
import { write } from '../../support/exported.ts';
import { asked, ROW_KINDS, type RowKind } from '../../support/exporting.ts';
import { serveEnvironment } from '../../support/flow.ts';
import { pythonRows } from '../../peers/support.ts';

/** The formats that hold whole replies; `atif-…` is read by ATIF's own models too. */
const WHOLE_REPLIES = ['sft', 'sft_messages', 'episode_record', 'atif'] as const;

type Episodes = Record<'advised' | 'edited' | 'labelled' | 'solo' | 'scored', Made>;
type Loaded = { name: string; rows: number; first: Record<string, unknown>; digest: string };
let folder = '';
let loaded: Map<string, Loaded>;

/** An episode of which the format makes rows. */
function episodeFor(format: RowKind, made: Episodes): Made {
  if (format === 'human_feedback') return made.labelled;
  if (format === 'demonstrations') return made.solo;
  if (format === 'scores') return made.scored;
  return format === 'advisor' || format === 'when_to_ask' ? made.advised : made.edited;
}

/** Episodes of one task, on an environment of their own. A row of scores holds no text: `scored` tells two of them apart. */
async function playedEpisodes(task: string, scored: 'edited' | 'advised'): Promise<Episodes> {
  const observation = { reward_type: 'reset_ok', scenario: 's_1', task, task_idx: 0, num_tools: 2 };
  const environment = await serveEnvironment({ reset: () => ({ observation, reward: null }) });
  const played = {
    advised: await advised(environment, { ask: 1, do: 'send', text: GOOD }),
    edited: await edited(environment),
    labelled: await labelled(environment),
    solo: await solo(environment),
  };
  environment.close();
  return { ...played, scored: played[scored] };
}

/** Every format in every kind of file, each in a folder of its own below `sets`, over what an earlier call put there. */
async function exportAll(made: Episodes, sets: string): Promise<void> {
  for (const format of ROW_KINDS) {
    const { made: rows, ...what } = asked(format);
    const kinds = rows.columns === null ? (['jsonl'] as const) : (['jsonl', 'parquet'] as const);
    for (const files of kinds) {
      await write(episodeFor(format, made).log, join(sets, `${format}-${files}`), {
        ...what,
        files,
        isForced: true,
      });
    }
  }
}

/** What `datasets` gives of every folder below `sets`, by the folder's name. */
async function load(sets: string, cache: string): Promise<Map<string, Loaded>> {
  const rows = await pythonRows('openenv-0.10.0', 'check_exports.py', [sets, cache]);
  return new Map((rows as Loaded[]).map((one) => [one.name, one]));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interject-peers-exports-'));
  mkdirSync(join(folder, 'sets'));
  await exportAll(await playedEpisodes('Rename the second workflow.', 'edited'), join(folder, 'sets'));
  const environment = await serveEnvironment();
  const several = await severalCalls(environment);
  for (const format of WHOLE_REPLIES) {
    const to = join(folder, 'sets', `${format}-several-calls`);
    await write(several.log, to, { format, files: 'jsonl', isForced: true });
  }
  environment.close();
  loaded = await load(join(folder, 'sets'), join(folder, 'cache'));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what an export wrote, loaded with the real datasets package', () => {
  it.each(ROW_KINDS)('%s loads with the columns that its card declares', (format) => {
    const { columns, cardColumns = null } = asked(format).made;
    const declared = columns ?? cardColumns;
    const one = loaded.get(`${format}-jsonl`);
    expect(one?.rows).toBeGreaterThan(0);
    if (declared !== null) expect(Object.keys(one?.first ?? {})).toEqual(declared.map(({ name }) => name));
  });

  it.each(WHOLE_REPLIES)('%s keeps the calls of one reply in one message', (format) => {
    const { rows, first } = loaded.get(`${format}-several-calls`) ?? { rows: 0, first: {} };

    expect(rows).toBe(1);
    const text = JSON.stringify(first);
    const [one, two] = ['call-one', 'call-two'].map((id) => text.indexOf(id));
    expect(one).toBeGreaterThan(-1);
    // Between the two calls of the reply stands no result.
    const between = text.slice(one, two);
    expect(between).toContain('find_workflow');
    expect(between).not.toMatch(/"role\W+tool|source_call_id/);
  });

  it.each(ROW_KINDS.filter((format) => asked(format).made.columns !== null))(
    '%s gives the same rows from Parquet as from lines, JSON read back as JSON',
    (format) => {
      expect(loaded.get(`${format}-parquet`)?.first).toEqual(loaded.get(`${format}-jsonl`)?.first);
    },
  );
});

describe('an export that changed since it was loaded, with the cache of the first load', () => {
  /** The changed rows as a cache that never held others gives them. */
  let truth: Map<string, Loaded>;
  let elsewhere: Map<string, Loaded>;
  let overwritten: Map<string, Loaded>;
  beforeAll(async () => {
    const changed = await playedEpisodes('Rename the second workflow, and no other.', 'advised');
    mkdirSync(join(folder, 'elsewhere'));
    await exportAll(changed, join(folder, 'elsewhere'));
    elsewhere = await load(join(folder, 'elsewhere'), join(folder, 'cache'));
    truth = await load(join(folder, 'elsewhere'), join(folder, 'fresh cache'));
    await exportAll(changed, join(folder, 'sets'));
    overwritten = await load(join(folder, 'sets'), join(folder, 'cache'));
  }, 600_000);

  it.each(ROW_KINDS)(
    '%s gives the new rows, in the same folder and in another of the same name',
    (format) => {
      const names = [...truth.keys()].filter((name) => name.replace(/-\w+$/, '') === format);
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        expect(truth.get(name)?.digest).not.toBe(loaded.get(name)?.digest);
        expect(elsewhere.get(name)).toEqual(truth.get(name));
        expect(overwritten.get(name)).toEqual(truth.get(name));
      }
    },
  );
});
