// A small Agent World Model data folder in the form of the published one: display names, both verifier files, seed rows
// with the faults the real ones have.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const AWM_TASK = 'Rename the second workflow.';
export const CODE_VERIFIER = `def verify_task_completion(initial_db_path, final_db_path, final_answer=None):
    import sqlite3
    now = sqlite3.connect(f"file:{final_db_path}?mode=ro", uri=True)
    name = now.execute("SELECT name FROM workflows WHERE id = 2").fetchone()[0]
    return {"result": "complete" if name == "renamed" else "others"}
`;
export const SQL_VERIFIER = 'def verify_task(initial_db_path, final_db_path):\n    return {"names": []}\n';

const verifier = (code: string, response: object, over: object = {}): object => ({
  scenario: 'S 1',
  task_idx: 0,
  task: AWM_TASK,
  verification: { code, raw_response: JSON.stringify(response) },
  ...over,
});

/** Statements as they stand, failing ones among them. */
export const SEED_ROWS = [
  "INSERT INTO workflows VALUES (1, 'first')",
  "INSERT INTO workflows VALUES (2, 'second')",
  String.raw`INSERT INTO workflows VALUES (3, 'Ann\'s')`,
  "INSERT INTO workflows VALUES (4, 'too', 'many')",
  "INSERT INTO workflows VALUES (5, 'two'); INSERT INTO workflows VALUES (6, 'statements')",
];

const FILES: Readonly<Record<string, object[]>> = {
  'gen_scenario.jsonl': [{ name: 'S 1', description: 'Workflows' }],
  'gen_tasks.jsonl': [{ scenario: 'S 1', tasks: [AWM_TASK] }],
  'gen_db.jsonl': [
    {
      scenario: 'S 1',
      db_schema: {
        tables: [
          {
            name: 'workflows',
            ddl: 'CREATE TABLE workflows (id INTEGER PRIMARY KEY, name TEXT)',
            indexes: ['CREATE INDEX broken ON nowhere(x)'],
          },
        ],
      },
    },
  ],
  'gen_sample.jsonl': [
    { scenario: 's_1', sample_data: { tables: [{ table_name: 'workflows', insert_statements: SEED_ROWS }] } },
  ],
  'gen_verifier.jsonl': [
    verifier(SQL_VERIFIER, {
      reasoning: 'Compare the names.',
      success_criteria: 'Workflow 2 has a new name.',
      failure_criteria: ['Workflow 1 has it', 'Nothing changed'],
    }),
  ],
  'gen_verifier.pure_code.jsonl': [
    verifier(CODE_VERIFIER, { reasoning: 'One row.', key_checks: ['workflows.id = 2 is named renamed'] }),
    verifier(CODE_VERIFIER, {}, { task_idx: 1, task: 'Another task.' }),
  ],
};

export function writeAwmFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'interject-awm-data-'));
  for (const [name, rows] of Object.entries(FILES))
    writeFileSync(join(folder, name), `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
  return folder;
}
