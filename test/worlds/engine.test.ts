import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { labelOfError } from '../../src/main/worlds/labels.ts';
import { PackTask, PackTool } from '../../src/main/worlds/packFiles.ts';
import { createRunTool } from '../../src/main/worlds/runTool.ts';
import { verdictOn } from '../../src/main/worlds/verifier.ts';

const SCHEMA =
  'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE, config_json TEXT, seen_at TEXT); CREATE TABLE marks (note INTEGER, mark TEXT, PRIMARY KEY (note, mark));';
const openDb = (sql = '') => {
  const db = new Sqlite(':memory:');
  db.exec(SCHEMA + sql);
  return db;
};
const NOTES = "INSERT INTO notes VALUES (1, 'one', '{}', 'then'), (2, 'two', '{}', 'then');";

describe('a tool call', () => {
  const tool = (run: unknown[], result: unknown = { value: 'SELECT count(*) FROM notes' }) =>
    PackTool.parse({
      name: 'write_note',
      description: 'Writes a note.',
      input_schema: { type: 'object', properties: { text: { type: 'string' } } },
      run,
      result,
    });
  const insert = { do: 'INSERT INTO notes (text) VALUES (:text)' };
  const count = (db: Sqlite.Database): unknown => db.prepare('SELECT count(*) FROM notes').pluck().get();

  it('that is refused after a change takes the change back', () => {
    const db = openDb();
    const refusing = tool([
      insert,
      { refuse: "SELECT 'full' AS why", status: 409, detail: 'It is {why}: {text}' },
    ]);

    const outcome = createRunTool(db)(refusing, { text: 'a' }, 'now');

    expect(outcome).toEqual({
      ok: false,
      error: 'Error calling write_note. Status code: 409. Response: {"detail":"It is full: a"}',
    });
    expect(count(db)).toBe(0);
  });

  it('that breaks a constraint is a conflict, takes its changes back, and the next call goes on', () => {
    const db = openDb();

    const outcome = createRunTool(db)(tool([insert, insert]), { text: 'a' }, 'now');

    expect(outcome).toEqual({
      ok: false,
      error:
        'Error calling write_note. Status code: 409. Response: {"detail":"UNIQUE constraint failed: notes.text"}',
    });
    expect(createRunTool(db)(tool([insert]), { text: 'b' }, 'now')).toEqual({ ok: true, text: '1' });
  });

  it('that fails in the pack itself says so as a service would, and changes nothing', () => {
    const db = openDb();
    const broken = tool([insert], { all: 'SELECT nothing FROM nowhere' });

    expect(createRunTool(db)(broken, { text: 'a' }, 'now')).toEqual({
      ok: false,
      error: 'Error calling write_note. Status code: 500. Response: Internal Server Error',
    });
    expect(count(db)).toBe(0);
  });

  it('can read what it named on the way, and the time the world is in', () => {
    const db = openDb();
    const named = tool([insert, { let: 'id', be: 'SELECT last_insert_rowid()' }], {
      object: {
        id: { value: 'SELECT :id' },
        now: { value: 'SELECT :now' },
        none: { one: 'SELECT 1 WHERE 0' },
      },
    });

    const outcome = createRunTool(db)(named, { text: 'a' }, '2026-03-09T08:00:00Z');

    expect(outcome).toEqual({
      ok: true,
      text: '{\n  "id": 1,\n  "now": "2026-03-09T08:00:00Z",\n  "none": {}\n}',
    });
  });
});

describe('a verdict', () => {
  const verdict = (changes: unknown[], sql: string, stamped: string[] = []) => {
    const task = PackTask.parse({
      task: 't',
      difficulty: 'easy',
      criteria: 'c',
      changes,
      reference: [{ tool: 'x' }],
      rehearsal: { attempts: [], ask: { task: '', context: '' }, final: '' },
    });
    return verdictOn(task, openDb(NOTES), openDb(NOTES + sql), '', new Set(stamped));
  };
  const added = { change: 'added', table: 'notes', row: { text: 'three' } };

  it('counts each difference once: two expected rows are not one row and something else', () => {
    const two = [
      { change: 'added', table: 'marks', row: { note: 1 } },
      { change: 'added', table: 'marks', row: { note: 1 } },
    ];

    expect(verdict(two, "INSERT INTO marks VALUES (1, 'a'), (1, 'b');")).toBe('complete');
    expect(verdict(two, "INSERT INTO marks VALUES (1, 'a'), (2, 'b');")).toBe('others');
  });

  it('takes a row that was added with any number, and the columns it does not name', () => {
    expect(verdict([added], "INSERT INTO notes VALUES (99, 'three', '{\"a\":1}', 'now');")).toBe('complete');
  });

  it('compares JSON columns by what they say, not by how they are written', () => {
    const change = {
      change: 'updated',
      table: 'notes',
      row: { id: 1 },
      to: { config_json: { a: 1, b: [2] } },
    };

    expect(verdict([change], `UPDATE notes SET config_json = '{ "b": [2], "a": 1 }' WHERE id = 1;`)).toBe(
      'complete',
    );
    expect(verdict([change], `UPDATE notes SET config_json = '{ "b": [3], "a": 1 }' WHERE id = 1;`)).toBe(
      'others',
    );
  });

  it('looks past the columns the world stamps itself, and at no others', () => {
    const change = { change: 'updated', table: 'notes', row: { id: 1 }, to: { text: 'uno' } };
    const sql = "UPDATE notes SET text = 'uno', seen_at = 'now' WHERE id = 1;";

    expect(verdict([change], sql, ['seen_at'])).toBe('complete');
    expect(verdict([change], sql)).toBe('others');
  });

  it('sees a row that went and came back with another number, and one that is gone', () => {
    expect(
      verdict([], "DELETE FROM notes WHERE id = 2; INSERT INTO notes VALUES (3, 'two', '{}', 'then');"),
    ).toBe('others');
    expect(
      verdict([{ change: 'removed', table: 'notes', row: { id: 2 } }], 'DELETE FROM notes WHERE id = 2;'),
    ).toBe('complete');
  });
});

describe('the label of a tool error', () => {
  it.each([
    ['Unknown tool: fly', 'tool_not_found'],
    ['Status code: 404. Response: {"detail":"Invoice not found"}', 'tool_not_found'],
    ['Status code: 422. Response: {"detail":[{"type":"missing"}]}', 'invalid_args'],
    ["Input validation error: 'id' is a required property", 'invalid_args'],
    ['Status code: 422. Response: {"detail":[{"type":"int_parsing"}]}', 'server_error'],
    ['Tool call timed out after 30.0s', 'timeout'],
    ['Status code: 409. Response: {"detail":"It is archived"}', 'server_error'],
  ])('%s -> %s', (error, label) => {
    expect(labelOfError(error)).toBe(label);
  });
});
