import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog, type EventLog } from '../../src/main/log/eventLog.ts';
import { openSearch, phrasesOf, type Searching, snippetOf } from '../../src/main/log/searchIndex.ts';
import type { LogEvent } from '../../src/shared/events/vocabulary.ts';
import { asked, createClock, drafted, HUMAN, reset, started, SYSTEM } from '../support/log.ts';

type Opened = Searching & { log: EventLog; advance: (ms: number) => void; reports: unknown[] };

function open(): Opened {
  const { clock, schedule, advance } = createClock();
  const db = openDatabase(':memory:');
  const reports: unknown[] = [];
  const report = (thrown: unknown): void => void reports.push(thrown);
  const log = createEventLog({ db, clock, onListenerError: report });
  return { log, advance, reports, ...openSearch(db, log, { schedule, report }) };
}

const ANY = { kinds: [], before: null, limit: 20 } as const;
const find = ({ search }: Opened, query: string, over: object = {}) =>
  search.find({ ...ANY, query, ...over });

const note = (text: string): LogEvent => ({
  kind: 'note.interjected',
  note: `n${text.slice(0, 4)}`,
  text,
  privilege: [],
  timing: { first_seen_at: null, active_ms: null },
});

function episode(opened: Opened, id: string, task: string): void {
  opened.log.append(id, SYSTEM, started());
  opened.log.append(id, SYSTEM, reset({ task }));
}

describe('search in the log', () => {
  it('finds the newest first and says where each stands', () => {
    const opened = open();
    episode(opened, 'e1', 'Rename the workflow.');
    episode(opened, 'e2', 'Rename the ticket.');
    opened.searchIndex.catchUp();

    const { found, hasMore } = find(opened, 'RENAME');

    expect(hasMore).toBe(false);
    expect(found.map(({ recorded, kind }) => [recorded.stream, recorded.n, kind])).toEqual([
      ['e2', 2, 'task'],
      ['e1', 2, 'task'],
    ]);
  });

  it('asks for every word, takes quoted words as a phrase, and goes on from a place', () => {
    const opened = open();
    episode(opened, 'e1', 'the ticket of the second workflow');
    episode(opened, 'e2', 'the second ticket of a workflow');
    episode(opened, 'e3', 'a workflow');
    opened.searchIndex.catchUp();
    const streams = (query: string, over = {}) =>
      find(opened, query, over).found.map(({ recorded }) => recorded.stream);

    expect(streams('second workflow')).toEqual(['e2', 'e1']);
    expect(streams('"second workflow"')).toEqual(['e1']);
    const [first] = find(opened, 'workflow', { limit: 1 }).found;
    expect(find(opened, 'workflow', { limit: 1 }).hasMore).toBe(true);
    expect(streams('workflow', { before: first?.place ?? null })).toEqual(['e2', 'e1']);
  });

  it('narrows by kind: what the agent was asked to do, what people answered, notes', () => {
    const opened = open();
    episode(opened, 'e1', 'the lighthouse');
    opened.log.append('e1', SYSTEM, asked({ question: 'which lighthouse?' }));
    opened.log.append('e1', SYSTEM, drafted({ text: 'lighthouse two' }));
    opened.log.append('e1', HUMAN, note('mind the lighthouse'));
    opened.searchIndex.catchUp();
    const kinds = (...asks: string[]) =>
      find(opened, 'lighthouse', { kinds: asks }).found.map(({ kind }) => kind);

    expect(kinds()).toEqual(['note', 'advice', 'advice', 'task']);
    expect(kinds('task')).toEqual(['task']);
    expect(kinds('note', 'advice')).toEqual(['note', 'advice', 'advice']);
  });

  it('takes a word that is nowhere as the beginning of one', () => {
    const opened = open();
    episode(opened, 'e1', 'Rename the workflow.');
    opened.searchIndex.catchUp();

    expect(find(opened, 'the workfl')).toMatchObject({ isPrefix: true, found: [{ kind: 'task' }] });
    expect(find(opened, 'wo').found).toEqual([]);
    expect(find(opened, '"; DROP TABLE events; -- (').found).toEqual([]);
    expect(find(opened, '   ').found).toEqual([]);
  });

  it('searches a long text to its last word', () => {
    const opened = open();
    episode(opened, 'e1', `${'filler words here '.repeat(60_000)} the very last zanzibar`);
    opened.searchIndex.catchUp();

    const [hit] = find(opened, '"last zanzibar"').found;

    expect(hit?.recorded.stream).toBe('e1');
    expect(snippetOf(hit?.text ?? '', 'last zanzibar').snippet).toContain('the very last zanzibar');
  });

  it('shows the words with some of what stands around them', () => {
    const text = `${'before '.repeat(40)}the Kanban-Board says\n\n  no ${'after '.repeat(60)}`;

    const { snippet, marks } = snippetOf(text, 'kanban_board');

    expect(snippet.length).toBeLessThan(280);
    expect(snippet).toContain('the Kanban-Board says no after');
    expect(marks.map(([start, end]) => snippet.slice(start, end))).toEqual(['Kanban-Board']);
    expect(phrasesOf('get_user("x") work*')).toEqual([
      { words: ['get', 'user', 'x'], isPrefix: false },
      { words: ['work'], isPrefix: true },
    ]);
  });
});

describe('search in scripts without spaces', () => {
  const streams = (opened: Opened, query: string) =>
    find(opened, query).found.map(({ recorded }) => recorded.stream);

  it('finds words inside of a text, however short, and only where the letters stand together', () => {
    const opened = open();
    episode(opened, 'ja', '彼は日本語を話すデータ技術者です。');
    episode(opened, 'zh', '请把工作流程重命名为新的名称');
    episode(opened, 'ko', '한국어를 배우고 있습니다');
    episode(opened, 'th', 'ฉันพูดภาษาไทย');
    episode(opened, 'apart', '日曜日の本');
    opened.searchIndex.catchUp();

    expect(streams(opened, '日本')).toEqual(['ja']);
    expect(streams(opened, '日本語')).toEqual(['ja']);
    expect(streams(opened, 'データ')).toEqual(['ja']);
    expect(streams(opened, '本')).toEqual(['apart', 'ja']);
    expect(streams(opened, '流程')).toEqual(['zh']);
    expect(streams(opened, '流程 名称')).toEqual(['zh']);
    expect(streams(opened, '국어')).toEqual(['ko']);
    expect(streams(opened, 'ภาษา')).toEqual(['th']);
    expect(streams(opened, '程流')).toEqual([]);
  });

  it('finds words of other scripts beside them as words, and as beginnings', () => {
    const opened = open();
    episode(opened, 'e1', '使用Workflow接口v2');
    opened.searchIndex.catchUp();

    expect(streams(opened, 'workflow')).toEqual(['e1']);
    expect(streams(opened, '用workflow接')).toEqual(['e1']);
    expect(find(opened, '使用work')).toMatchObject({ isPrefix: true, found: [{ kind: 'task' }] });
  });

  it('marks what was found', () => {
    const { snippet, marks } = snippetOf('彼は日本語を話す。API日本', '日本');

    expect(marks.map(([start, end]) => [start, snippet.slice(start, end)])).toEqual([
      [2, '日本'],
      [12, '日本'],
    ]);
  });

  it('makes an index anew that was made before, in the background', () => {
    const { clock, schedule, advance } = createClock();
    const db = openDatabase(':memory:');
    const report = (thrown: unknown): never => {
      throw thrown;
    };
    const log = createEventLog({ db, clock, onListenerError: report });
    log.append('e1', SYSTEM, started());
    log.append('e1', SYSTEM, reset({ task: '日本語 workflow' }));
    openSearch(db, log, { schedule, report }).searchIndex.catchUp();
    db.exec(`UPDATE marks SET value = 0 WHERE name = 'search_form'`);

    const { search, searchIndex } = openSearch(db, log, { schedule, report });

    expect(searchIndex.progress().indexed).toBe(0);
    expect(search.find({ ...ANY, query: '日本' }).found).toEqual([]);
    advance(1000);
    expect(search.find({ ...ANY, query: '日本' }).found).toHaveLength(1);
    expect(search.find({ ...ANY, query: 'workflow' }).found).toHaveLength(1);
  });
});

describe('the search index', () => {
  it('is made in the background in small batches, and tells how far it is', () => {
    const opened = open();
    opened.log.append('e1', SYSTEM, started());
    for (let at = 0; at < 1000; at += 100)
      opened.log.appendAll(
        'e1',
        Array.from({ length: 100 }, (_, i) => ({ actor: HUMAN, event: note(`word${String(at + i)}`) })),
      );

    expect(find(opened, 'word0').found).toEqual([]);
    opened.advance(151);
    const half = opened.searchIndex.progress();
    opened.advance(1000);

    expect(half.indexed).toBeGreaterThan(0);
    expect(half.indexed).toBeLessThan(half.total);
    expect(opened.searchIndex.progress()).toEqual({ indexed: 1001, total: 1001 });
    expect(find(opened, 'word999').found).toHaveLength(1);
    expect(opened.reports).toEqual([]);
  });

  it('reads a long text once, however many batches it takes to take it in', () => {
    const { clock, schedule } = createClock();
    const db = openDatabase(':memory:');
    const log = createEventLog({ db, clock, onListenerError: () => undefined });
    let reads = 0;
    const loadText: typeof log.texts.loadText = (text) => {
      reads += 1;
      return log.texts.loadText(text);
    };
    const counted = { ...log, texts: { ...log.texts, loadText } };
    const { search, searchIndex } = openSearch(db, counted, { schedule, report: () => undefined });
    log.append('e1', SYSTEM, started());
    log.append('e1', HUMAN, note(`${'tomato '.repeat(200_000)}aubergine`));

    let batches = 1;
    while (searchIndex.step()) batches += 1;

    expect(batches).toBeGreaterThan(3);
    expect(reads).toBe(1);
    expect(search.find({ ...ANY, query: 'aubergine' }).found).toHaveLength(1);
  });

  it('forgets what is erased, and finds the rest as before', () => {
    const opened = open();
    episode(opened, 'e1', 'the secret is 12345');
    opened.log.append('e1', SYSTEM, {
      kind: 'episode.ended',
      outcome: 'done',
      reason: null,
      failure: null,
      final_answer: null,
      reward_type: null,
      reward: null,
    });
    episode(opened, 'e2', 'nothing secret');
    opened.searchIndex.catchUp();

    opened.log.erase('e1', null, HUMAN, null);
    expect(find(opened, '12345').found).toEqual([]);
    opened.searchIndex.catchUp();

    expect(find(opened, '12345').found).toEqual([]);
    expect(find(opened, 'secret').found.map(({ recorded }) => recorded.stream)).toEqual(['e2']);
  });
});
