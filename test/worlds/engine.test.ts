import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
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

  it('counts each difference once: two expected rows are not one row and something else', () => {
    const two = [
      { change: 'added', table: 'marks', row: { note: 1 } },
      { change: 'added', table: 'marks', row: { note: 1 } },
    ];

    expect(verdict(two, "INSERT INTO marks VALUES (1, 'a'), (1, 'b');")).toBe('complete');
    expect(verdict(two, "INSERT INTO marks VALUES (1, 'a'), (2, 'b');")).toBe('others');
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
});
