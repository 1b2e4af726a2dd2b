// What becomes of a record that is imported again: the same, longer, changed, or erased meanwhile.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eraseEpisode } from '../../../src/main/commands/library.ts';
import {
  chosenEpisodes,
  createEpisodeRule,
  endedEpisodes,
  endedQuery,
} from '../../../src/main/dataset/export/select.ts';
import { textHead } from '../../../src/shared/events/text.ts';
import { rulesOf } from '../../support/exporting.ts';
import { HUMAN } from '../../support/log.ts';
import { call, codes, createBench, first, lines, type Bench } from './support.ts';

let bench: Bench;
beforeEach(() => (bench = createBench()));
afterEach(() => bench.close());

const user = (content: string) => ({ role: 'user', content });
const reply = (content: string, more: object = {}) => ({ role: 'assistant', content, ...more });
const SHORT = [user('Weigh it.'), reply('', { tool_calls: [call('c1', 'weigh', '{}')] })];
const LONG = [...SHORT, { role: 'tool', tool_call_id: 'c1', content: '9 kg' }, reply('Nine.')];

/** The file as it is now, under the name and in the folder it always had. */
const imports = (...rows: object[]) =>
  bench.read(join(bench.write({ 'run.jsonl': lines(...rows) }, 'logs'), 'run.jsonl'));
const listed = (): string[] => bench.log.projections.ended();
/** What trains: of each episode that an export reads, its last words. */
const trained = (): string[] => {
  const decide = createEpisodeRule(rulesOf(), { verdict: 'any' });
  return [...endedEpisodes(bench.log, endedQuery(rulesOf(), bench.log.lastSeq()))].flatMap((episode) =>
    decide(episode) === null ? [textHead(bench.log.record(episode.id).ended?.final_answer ?? '…')] : [],
  );
};
const erase = (episode: string, text: string | null = null): void =>
  void eraseEpisode({ log: bench.log, sources: bench.sources }, { episode, text, reason: null }, HUMAN);

describe('a record that is imported again', () => {
  it('is here already where its content is the same, whatever else came into the file', async () => {
    const before = await imports({ messages: LONG }, { messages: SHORT });
    const { report, ids } = await imports(
      { messages: LONG },
      { messages: SHORT },
      { messages: [user('And?'), reply('So.')] },
    );

    expect(report).toMatchObject({ episodes: 3, known: 2, skipped: 0, failure: null });
    expect(codes(report)).toContain('already_imported');
    expect(ids.slice(0, 2)).toEqual(before.ids);
    expect(listed()).toHaveLength(3);
  });

  it('is here already where it is an earlier version of one that is here, and does not train again', async () => {
    const row = { id: 'd1f0c2aa-run' };
    await imports({ ...row, messages: LONG });
    const { report } = await imports({ ...row, messages: SHORT });
    const long = { ...row, id: 'd1f0c2aa-other', messages: [user('x'.repeat(100_000)), ...LONG] };
    await imports(long);
    const again = await imports({ ...long, messages: long.messages.slice(0, -1) });

    for (const one of [report, again.report]) {
      expect(one).toMatchObject({ episodes: 1, known: 1, skipped: 0, failure: null });
      expect(codes(one)).toContain('already_imported');
    }
    expect(trained()).toEqual(['Nine.', 'Nine.']);
  });

  it('is known by its own id, in whatever file and place it stands', async () => {
    const row = { id: 'd1f0c2aa-run', messages: LONG };
    await bench.one(lines(row), 'one.jsonl');
    const { report } = await bench.one(lines({ messages: SHORT }, row), 'two.jsonl');

    expect(report).toMatchObject({ episodes: 2, known: 1 });
  });

  it('of which a file has equal ones is as many episodes, once', async () => {
    const rows = [
      { messages: LONG },
      { messages: LONG },
      { id: 'd1f0c2aa-run', messages: LONG },
      { id: 'd1f0c2aa-run', messages: LONG },
    ];
    const { report } = await imports(...rows);
    expect(report).toMatchObject({ episodes: 4, known: 0 });
    expect((await imports(...rows, { messages: SHORT })).report).toMatchObject({ episodes: 5, known: 4 });
    expect(listed()).toHaveLength(5);
  });

  it('takes the place of the shorter one where it has grown: what was said of a step holds for its equal', async () => {
    const before = await imports({ messages: SHORT });
    const older = first(before.ids);
    const label = { kind: 'label.given', turn: 1, move: { type: 'list_tools' }, agrees: false } as const;
    bench.log.append(older, HUMAN, {
      ...label,
      privilege: [],
      timing: { first_seen_at: null, active_ms: 1 },
      beta: null,
    });
    bench.log.append(`tags/${older}`, HUMAN, {
      kind: 'tags.changed',
      episode: older,
      added: ['mine'],
      removed: [],
    });
    const { report, records } = await imports({ messages: LONG });

    expect(report).toMatchObject({ episodes: 1, known: 0, failure: null });
    expect(codes(report)).toEqual(['grown']);
    expect(first(records).turns[0]?.label).toMatchObject({ agrees: false });
    const tags = (id: string) => bench.log.projections.episode(id)?.tags;
    expect([tags(older), tags(first(records).id)]).toEqual([['mine', 'superseded'], ['mine']]);
    expect(trained()).toEqual(['Nine.']);
    expect([...chosenEpisodes(bench.log, rulesOf(), {})]).toHaveLength(2);
    // The shorter file once more is neither new nor a change.
    expect((await imports({ messages: SHORT })).report).toMatchObject({ episodes: 1, known: 1 });
    expect(trained()).toEqual(['Nine.']);
  });

  it('stands beside the earlier one where it has changed otherwise, and the report says so', async () => {
    await imports({ messages: LONG });
    const { report } = await imports({ messages: [...LONG.slice(0, -1), reply('Ten.')] });

    expect(report).toMatchObject({ episodes: 1, known: 0, failure: null });
    expect(codes(report)).toEqual(['changed']);
    expect(trained().toSorted()).toEqual(['Nine.', 'Ten.']);
  });

  it('is changed, not longer, where only what the file says of it is another', async () => {
    await imports({ messages: LONG, reward: 0 });
    expect(codes((await imports({ messages: LONG, reward: 1 })).report)).toEqual(['changed']);
  });
});

it('is named where another version of it is erased: that holds the same words', async () => {
  const before = await imports({ messages: SHORT });
  const { ids } = await imports({ messages: LONG });
  const asked = { episode: first(ids), text: null, reason: null };
  const { copies } = eraseEpisode({ log: bench.log, sources: bench.sources }, asked, HUMAN);
  expect(copies).toEqual(before.ids);
});

describe('a record that was erased here', () => {
  const OTHER = { messages: [user('And?'), reply('So.')] };

  it.each([
    ['as it was', [{ messages: LONG }, OTHER]],
    ['longer', [{ messages: [...LONG, user('Sure?'), reply('Yes.')] }, OTHER]],
    ['in another place', [OTHER, OTHER, { messages: LONG }]],
  ])('is not read again %s, its file is not kept, and the report says so', async (_, rows) => {
    const { ids } = await imports({ messages: LONG }, OTHER);
    erase(first(ids));
    const { report } = await imports(...rows);

    expect(report.failure).toBeNull();
    expect(codes(report)).toContain('erased_here');
    expect(JSON.stringify(listed().flatMap((id) => bench.log.read(id)))).not.toContain('Nine.');
    expect(readdirSync(join(bench.folder, 'home', 'sources'))).toEqual([]);
  });

  it('is not read again where one text of it was taken out', async () => {
    const { ids } = await imports({ messages: [user('My key is swordfish-7712.'), reply('Noted.')] });
    erase(first(ids), 'swordfish-7712');
    const { report } = await imports({
      messages: [user('My key is swordfish-7712.'), reply('Noted.'), user('Go.'), reply('Gone.')],
    });

    expect(report).toMatchObject({ episodes: 0, failure: null });
    expect(JSON.stringify(listed().flatMap((id) => bench.log.read(id)))).not.toContain('swordfish');
  });

  it('leaves nothing in the log or an export by which it could be told', async () => {
    const { ids } = await imports({ id: 'person-4711-anna', messages: LONG });
    const before = bench.log.record(first(ids)).imported;
    erase(first(ids));
    const left = bench.log.read(first(ids));

    expect(JSON.stringify(left)).not.toMatch(/person-4711|Nine|Weigh/);
    expect(bench.log.record(first(ids)).imported?.record).toEqual(before?.record);
    // Another log, with a secret of its own, hashes the same record otherwise.
    const other = createBench();
    const same = await other.one(lines({ id: 'person-4711-anna', messages: LONG }));
    expect(first(same.records).imported?.record?.identity).not.toBe(before?.record?.identity);
    other.close();
  });
});

it('a session whose branches grow in turn keeps each branch once', async () => {
  const line = (id: string, parentId: string | null, message: object) => ({
    type: 'message',
    id,
    parentId,
    message,
  });
  const head = { type: 'session', id: 'session-77f1' };
  const start = [
    head,
    line('a', null, user('Which?')),
    line('b', 'a', reply('Epoxy.')),
    line('c', 'a', reply('Enamel.')),
  ];
  await imports(...start);
  const { report } = await imports(...start, line('d', 'b', user('Sure?')), line('e', 'd', reply('Yes.')));

  expect(report).toMatchObject({ episodes: 2, known: 1 });
  expect(codes(report)).toEqual(expect.arrayContaining(['grown', 'already_imported']));
  expect(trained().toSorted()).toEqual(['Enamel.', 'Yes.']);
  expect(textHead(bench.log.record(first(report.first)).messages[0]?.content ?? '')).toBe('Which?');
});
