import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldAll } from '../../../src/shared/episode/fold.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import type { Recorded } from '../../../src/shared/events/vocabulary.ts';
import { story } from '../../dataset/import/support.ts';
import { pythonRows, ran } from '../../peers/support.ts';

type Line = Record<string, unknown> & { type: string };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-peers-import-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Imports what the script wrote into a data folder of its own; gives the lines and the episodes as the log has them. */
async function importWritten(what: string): Promise<{ files: Line[]; records: EpisodeRecord[] }> {
  const [written, home, out] = ['written', 'home', 'out'].map((name) => join(folder, what, name));
  await pythonRows('openenv-0.10.0', 'write_logs.py', [what, written ?? '']);
  const printed = await ran(['import', written ?? '', '--data', home ?? '', '--json']);
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  await ran(['export', '--format', 'events', '--out', out ?? '', '--data', home ?? '']);
  const events = new Map<string, Recorded[]>();
  for (const line of readFileSync(join(out ?? '', 'events.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)) {
    const { episode, ...rest } = JSON.parse(line) as { episode: string } & Omit<Recorded, 'seq' | 'stream'>;
    events.set(episode, [...(events.get(episode) ?? []), { ...rest, seq: rest.n, stream: episode }]);
  }
  const ids = lines.flatMap((line) => (line.type === 'episode' ? [line['episode'] as string] : []));
  return {
    files: lines.filter(({ type }) => type === 'file'),
    records: ids.map((id) => foldAll(id, events.get(id) ?? [])),
  };
}

describe('logs the real inspect_ai wrote', () => {
  it('open alike as an archive, as an archive in pieces and as JSON: text, failed calls, times, tools, scores', async () => {
    const { files, records } = await importWritten('inspect');

    expect(files).toHaveLength(3);
    for (const file of files)
      expect(file).toMatchObject({
        format: 'inspect',
        episodes: 2,
        skipped: 0,
        diagnostics: [],
        error: null,
      });
    expect(records).toHaveLength(6);
    for (const record of records) {
      const [failed, found, final] = story(record);
      expect(failed).toBe('find_bread({"kind":"none"}) ! there is no such bread');
      // What openai_chat_message of inspect_ai makes of it, and so what the model read.
      expect(record.messages.map(({ content }) => content)).toContain('Error: there is no such bread');
      expect(record.imported?.conservation?.further).toBe(0);
      expect(found).toMatch(/^find_bread\(\{"kind":"rye"\}\) -> rye: 1\.80 (crumb )+/);
      expect(final).toBe('final Rye costs 1.80.');
      expect(record.offered.map(({ name }) => name)).toEqual(['find_bread']);
      expect(record.turns.every(({ usage }) => usage?.output_tokens === 3)).toBe(true);
      expect(record.startedAt).toBeGreaterThan(1_700_000_000_000);
      expect(record.started).toMatchObject({ scenario: 'bread', agent: { model: 'mockllm/model' } });
    }
    expect(records.map(({ ended }) => ended?.reward).filter((reward) => reward === 1)).toHaveLength(3);
    expect(new Set(records.map(({ started }) => started?.group)).size).toBe(2);
  });
});

type Truth = {
  agents: { name: string; said: { calls: [string, object][]; tokens: [number, number] }[] }[];
  /** The calls in the conversation that Inspect keeps of the sample's own agent. */
  kept: [string, object][];
  usage: { input: number; output: number };
};

describe('agents that an agent of the real inspect_ai called as tools', () => {
  it('are episodes of their own, with the calls and the tokens that its own reader counts', async () => {
    const { files, records } = await importWritten('subagents');
    const truth = JSON.parse(readFileSync(join(folder, 'subagents/truth.json'), 'utf8')) as Truth;

    expect(truth.agents).toHaveLength(4);
    expect(files).toHaveLength(3);
    for (const file of files)
      expect(file).toMatchObject({ episodes: 4, skipped: 0, diagnostics: [], error: null });
    for (const at of [0, 4, 8]) {
      const agents = records.slice(at, at + 4);
      const parent = agents.find(({ imported }) => imported?.extra['subagent_of'] === undefined);
      const calls = agents.map(({ turns }) =>
        turns.flatMap(({ move }) => (move?.type === 'call_tool' ? [[move.tool_name, move.arguments]] : [])),
      );
      expect(calls.toSorted(byText)).toEqual(
        truth.agents
          .map(({ name, said }) => (name === 'main' ? truth.kept : said.flatMap(({ calls: made }) => made)))
          .toSorted(byText),
      );
      const sum = (which: 'input_tokens' | 'output_tokens'): number =>
        agents.flatMap(({ turns }) => turns).reduce((all, { usage }) => all + (usage?.[which] ?? 0), 0);
      expect({ input: sum('input_tokens'), output: sum('output_tokens') }).toEqual(truth.usage);
      const inner = agents.filter((one) => one !== parent);
      for (const { imported } of inner) expect(imported?.extra['subagent_of']).toBe(parent?.started?.group);
      expect(inner.map(({ started }) => started?.scenario).toSorted(byText)).toEqual([
        'errand/buyer',
        'errand/buyer',
        'errand/searcher',
      ]);
      const searched = inner.find(({ started }) => started?.scenario === 'errand/searcher');
      expect(searched?.messages.map(({ content }) => content)).toContain('rye: 1.80');
      const [system] = searched?.messages ?? [];
      expect(system?.content).toMatch(/^You search\./);
    }
  });
});

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

describe('a trajectory the real atif models wrote', () => {
  it('opens with and without the fields that are null', async () => {
    const { files, records } = await importWritten('atif');

    for (const file of files)
      expect(file).toMatchObject({ format: 'atif', version: 'ATIF-v1.8', episodes: 1, diagnostics: [] });
    expect(records).toHaveLength(2);
    for (const record of records) {
      expect(story(record)).toEqual(['find_bread({"kind":"rye"}) -> 1.80', 'final Rye costs 1.80.']);
      expect(record.turns[0]).toMatchObject({
        content: 'I look.',
        usage: { input_tokens: 7, output_tokens: 3 },
      });
      expect((record.turns[1]?.at ?? 0) - (record.turns[0]?.at ?? 0)).toBe(2000);
    }
  });
});

describe('what the real openenv collected', () => {
  it('opens with rewards of calls and of episodes, and the metadata beside it', async () => {
    const { files, records } = await importWritten('collect');

    expect(files[0]).toMatchObject({ format: 'openenv_collect', episodes: 2, diagnostics: [] });
    for (const record of records) {
      expect(story(record)).toEqual(['find_bread({"kind":"rye"}) -> 1.80', 'final Rye costs 1.80.']);
      expect(record.turns[0]?.call?.returned?.reward).toBe(0.25);
      expect(record.imported?.companions.map(({ name }) => name)).toEqual(['metadata.json']);
    }
    expect(records.map(({ ended }) => ended?.reward)).toEqual([0, 1]);
  });
});
