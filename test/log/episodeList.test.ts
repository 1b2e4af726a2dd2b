import { describe, expect, it } from 'vitest';
import { openTapped } from '../support/tapped.ts';
import { keptDraftShare } from '../../src/main/log/draftFates.ts';
import { asked, drafted, HUMAN, openLog, openQuestion, reset, started, SYSTEM } from '../support/log.ts';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog, type EventLog } from '../../src/main/log/eventLog.ts';
import { rebuildProjections } from '../../src/main/log/rebuild.ts';
import { DraftFate, type EpisodeFilter, type EpisodeOrder } from '../../src/shared/contract/library.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';

const ended = (over: object = {}): LogEvent => ({
  kind: 'episode.ended',
  outcome: 'done',
  reason: null,
  failure: null,
  final_answer: null,
  reward_type: null,
  reward: null,
  ...over,
});
const timing = { first_seen_at: null, active_ms: null };

function fill(): EventLog {
  const log = openLog();
  log.append('e1', SYSTEM, started({ scenario: 'shop_3', task_idx: 2, condition: 'none' }));
  log.append('e1', SYSTEM, ended({ reward: 0.5, reward_type: 'others' }));
  log.append('e2', SYSTEM, started({ scenario: 'crm_2', task_idx: 1, source: 'tap' }));
  log.append('e2', SYSTEM, ended({ outcome: 'limit' }));
  openQuestion(log, 'e3');
  log.append('e3', HUMAN, {
    kind: 'advice.approved',
    consultation: 'e3:c1',
    draft: null,
    act: 'send',
    text: 'Look again.',
    privilege: [],
    timing,
    human_act: null,
    seen_seq: 1,
  });
  log.append('e3', SYSTEM, ended({ reward: 1, reward_type: 'complete' }));
  return log;
}

const ids = (log: EventLog, filter?: EpisodeFilter, order?: EpisodeOrder): string[] =>
  log.projections
    .episodes({ query: '', status: null, condition: null, filter, order, offset: 0, limit: 10 })
    .rows.map(({ id }) => id);

const imported = (episode: string, index: number): LogEvent => ({
  kind: 'episode.imported',
  episode,
  format: 'chat',
  version: null,
  source: { name: 'rows.jsonl', sha256: 'a'.repeat(64), bytes: 1, index },
  companions: [],
  task: null,
  not_recorded: [],
  diagnostics: [],
  extra: {},
});

describe('the list of episodes', () => {
  it('shows what runs on top of what has ended, each newest first, over every page', () => {
    let now = 0;
    const log = createEventLog({
      db: openDatabase(':memory:'),
      clock: () => (now += 1),
      onListenerError: () => undefined,
    });
    for (let at = 0; at < 20; at += 1) {
      log.append(`e${String(at)}`, SYSTEM, started({ scenario: at % 2 === 0 ? 'shop' : 'crm' }));
      if (at % 5 !== 0) log.append(`e${String(at)}`, SYSTEM, ended());
    }
    const read = (limit: number, filter?: EpisodeFilter): string[] =>
      Array.from({ length: Math.ceil(20 / limit) }, (_, page) =>
        log.projections
          .episodes({
            query: '',
            status: null,
            condition: null,
            filter,
            order: { by: 'running', is_ascending: false },
            offset: page * limit,
            limit,
          })
          .rows.map(({ id }) => id),
      ).flat();
    const all = [15, 10, 5, 0, 19, 18, 17, 16, 14, 13, 12, 11, 9, 8, 7, 6, 4, 3, 2, 1].map(
      (at) => `e${String(at)}`,
    );

    for (const limit of [1, 3, 4, 7, 20]) expect(read(limit)).toEqual(all);
    expect(read(3, { scenario: 'shop' })).toEqual(all.filter((id) => Number(id.slice(1)) % 2 === 0));
  });

  it.each(['alone', 'from a bundle'])(
    'shows episodes of a file without times in the order of the file, %s, after it was made anew too',
    (how) => {
      const db = openDatabase(':memory:');
      const log = createEventLog({ db, clock: () => 5, onListenerError: () => undefined });
      const order = ['z', 'b', 'k', 'a', 'y'];
      const streams = order.map((stream, index) => {
        const event = imported(stream, index);
        const entry = (one: LogEvent) => ({ actor: SYSTEM, event: one, at: null });
        const isBeside = how !== 'alone';
        return {
          stream,
          entries: [started(), ...(isBeside ? [] : [event]), ended()].map(entry),
          beside: isBeside ? [{ stream: `import/${stream}`, actor: SYSTEM, event }] : [],
        };
      });
      log.importStreams(streams);

      expect(ids(log)).toEqual(order);
      log.append('k', SYSTEM, { kind: 'tags.changed', episode: 'k', added: ['x'], removed: [] });
      expect(ids(log)).toEqual(order);
      rebuildProjections(db);
      expect(ids(log)).toEqual(order);
      expect(ids(log, undefined, { by: 'turns', is_ascending: false })).toEqual(order);
    },
  );

  it('leaves out of those without advice, and counts, what may have had help that nobody recorded', () => {
    const db = openDatabase(':memory:');
    const log = createEventLog({ db, clock: () => 5, onListenerError: () => undefined });
    log.append('own', SYSTEM, started());
    openTapped(log, { id: 'tapped' });
    log.append('tapped', SYSTEM, ended());
    log.append('asked', SYSTEM, started({ source: 'ask' }));
    log.append('file', SYSTEM, started({ source: 'import' }));
    log.append('file', SYSTEM, imported('file', 0));
    const page = (filter: EpisodeFilter) => {
      const query = { query: '', status: null, condition: null, filter, offset: 0, limit: 10 };
      const { rows, ...counts } = log.projections.episodes(query);
      return { ids: rows.map(({ id }) => id), ...counts };
    };

    const without = { ids: ['own'], total: 1, help_unknown: 3 };
    expect(page({ has_advice: false })).toEqual(without);
    expect(page({ has_advice: false, source: 'tap' })).toEqual({ ids: [], total: 0, help_unknown: 1 });
    expect(page({ has_advice: true })).toEqual({ ids: [], total: 0 });
    rebuildProjections(db);
    expect(page({ has_advice: false })).toEqual(without);

    // Its client tells what it read, and declares that it had no other expert.
    log.append('tapped', SYSTEM, {
      kind: 'conversation.told',
      messages: JSON.stringify([{ role: 'assistant', content: 'Done.' }]),
      tools: null,
      by: 'client',
      no_other_expert: true,
    });
    expect(page({ has_advice: false })).toEqual({ ids: ['tapped', 'own'], total: 2, help_unknown: 2 });
  });

  it('counts what reviewers said as labels until they take it back, also after it was made anew', () => {
    const db = openDatabase(':memory:');
    const log = createEventLog({ db, clock: () => 1, onListenerError: () => undefined });
    for (const id of ['e1', 'e2', 'e3']) log.append(id, SYSTEM, started());
    const at = { queue: 'q', item: 'i', privilege: [] as [], timing };
    const on = (episode: string) => ({ on: 'step' as const, episode, turn: 1 });
    const turn = (episode: string) => ({ type: 'turn' as const, episode, turn: 1 });
    const said: LogEvent[] = [
      {
        kind: 'annotation.given',
        annotation: 'a1',
        target: on('e1'),
        dimension: 'd',
        value: { type: 'category', option: 'good' },
        schema_version: 1,
        ...at,
      },
      {
        kind: 'preference.given',
        preference: 'p1',
        left: turn('e1'),
        right: turn('e2'),
        choice: 'left',
        reason: null,
        ...at,
      },
    ];
    for (const event of said) log.append('annotate/p', HUMAN, event);

    expect(ids(log, { has_labels: true })).toEqual(['e2', 'e1']);
    expect(ids(log, { has_labels: false })).toEqual(['e3']);
    expect(ids(log, { reviewer: HUMAN.id ?? '' })).toEqual(['e2', 'e1']);
    expect(ids(log, { reviewer: 'somebody else' })).toEqual([]);
    expect(log.projections.facets().reviewers).toEqual([HUMAN.id]);
    expect(log.projections.episode('e1')?.labels).toBe(2);

    const back = (annotation: string): LogEvent => ({
      kind: 'annotation.withdrawn',
      annotation,
      queue: 'q',
      item: 'i',
    });
    log.append('annotate/p', HUMAN, back('p1'));
    expect(ids(log, { has_labels: true })).toEqual(['e1']);
    rebuildProjections(db);
    expect(ids(log, { has_labels: true })).toEqual(['e1']);
  });

  it('knows tags from their own streams, also after it was made anew', () => {
    const log = fill();
    const n = log.record('e1').n;
    const change = (added: string[], removed: string[]): LogEvent => ({
      kind: 'tags.changed',
      episode: 'e1',
      added,
      removed,
    });
    log.append('tags/e1', HUMAN, change(['odd', 'to read'], []));
    log.append('tags/e1', HUMAN, change(['done'], ['odd']));

    expect(ids(log, { tag: 'to read' })).toEqual(['e1']);
    expect(ids(log, { tag: 'odd' })).toEqual([]);
    expect(log.projections.episode('e1')?.tags).toEqual(['done', 'to read']);
    expect(log.record('e1').n).toBe(n);
    expect(log.projections.facets()).toMatchObject({
      scenarios: ['crm_2', 'loomline_workflows', 'shop_3'],
      tags: ['done', 'to read'],
    });
  });
});

describe('what became of drafts', () => {
  it('is counted by how much of the draft was sent', () => {
    const log = openLog();
    log.append('e1', SYSTEM, started());
    log.append('e1', SYSTEM, reset());
    const answers = [
      ['accept', 'rename the second workflow now'],
      ['edit', 'rename the third workflow now'],
      ['edit', 'ask the customer which one was meant'],
    ] as const;
    answers.forEach(([act, text], index) => {
      const consultation = `e1:c${String(index)}`;
      log.append('e1', SYSTEM, asked({ consultation }));
      const draft = `d${String(index)}`;
      log.append('e1', SYSTEM, drafted({ consultation, draft, text: 'rename the second workflow now' }));
      log.append('e1', HUMAN, {
        kind: 'advice.approved',
        consultation,
        draft,
        act,
        text,
        privilege: [],
        timing,
        human_act: null,
        seen_seq: 1,
      });
    });

    const all = { query: '', status: null, condition: null, offset: 0, limit: 10 };
    const found = (draft: DraftFate): number => log.projections.episodes({ ...all, filter: { draft } }).total;
    expect(DraftFate.options.map(found)).toEqual([1, 1, 1, 0, 0]);
    expect(keptDraftShare('a b', 'a a a b')).toBe(0.5);
    expect(keptDraftShare('a b', '')).toBe(0);
  });
});
