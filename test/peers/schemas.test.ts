// Our checker of arguments and the kit's, held against the official JSON Schema Test Suite and against each other. The
// suite lies in the source release of the Python package `jsonschema`; it is fetched once and never committed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkValue } from '../../src/shared/schema/checkValue.ts';
import { generatedSchemas } from '../support/schemas.ts';
import { pythonRows, root } from './support.ts';

const RELEASE = 'openenv-0.10.0';
const kit = join(root, 'resources/kit/trl');
const venv = join(import.meta.dirname, '.venv');
const PACKAGE = 'jsonschema==4.26.0';
const folder = mkdtempSync(join(tmpdir(), 'interject-schemas-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Case = { schema: Record<string, unknown>; value: unknown };
type Group = { description: string; schema: unknown; tests: { data: unknown; valid: boolean }[] };

/** Where the suite's drafts lie. */
function suite(): string {
  const at = join(venv, 'schema-suite');
  if (!existsSync(at)) {
    const python = join(venv, 'bin/python');
    const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps'];
    execFileSync(python, [...pip, '--no-binary', 'jsonschema', '--dest', folder, PACKAGE], {
      stdio: 'pipe',
    });
    const archive = readdirSync(folder).find((name) => name.endsWith('.tar.gz')) ?? '';
    execFileSync(python, ['-m', 'tarfile', '-e', join(folder, archive), at]);
  }
  return join(at, readdirSync(at)[0] ?? '', 'json/tests');
}

async function kitVerdicts(cases: readonly Case[]): Promise<unknown[]> {
  const path = join(folder, 'cases.json');
  writeFileSync(path, JSON.stringify(cases));
  return (await pythonRows(RELEASE, 'judge_schemas.py', [kit, path])).map(({ valid }) => valid);
}

/**
 * What neither checker does. Nothing is fetched, so a reference to another document, a meta-schema too, asks for nothing;
 * `$dynamicRef` and vocabularies are not followed, nor is an odd pairing of `$ref` and `$id` in `ref.json`.
 */
const NOT_DONE = /^(?:definitions|defs|ref|refRemote|dynamicRef|vocabulary)\.json$/;
const DYNAMIC = /\$dynamicRef/;

describe.each([
  ['draft4', 'http://json-schema.org/draft-04/schema#'],
  ['draft6', 'http://json-schema.org/draft-06/schema#'],
  ['draft7', 'http://json-schema.org/draft-07/schema#'],
  ['draft2019-09', 'https://json-schema.org/draft/2019-09/schema'],
  ['draft2020-12', 'https://json-schema.org/draft/2020-12/schema'],
])('the official suite of %s', (draft, $schema) => {
  const groups = (): { file: string; group: Group }[] =>
    readdirSync(join(suite(), draft))
      .filter((file) => file.endsWith('.json'))
      .flatMap((file) =>
        (JSON.parse(readFileSync(join(suite(), draft, file), 'utf8')) as Group[]).map((group) => ({
          file,
          group,
        })),
      );
  const tests = () =>
    groups().flatMap(({ file, group }) =>
      group.tests.map(({ data, valid }) => ({
        file,
        what: group.description,
        valid,
        value: data,
        schema:
          typeof group.schema === 'boolean'
            ? { $schema, allOf: [group.schema] }
            : { $schema, ...(group.schema as object) },
      })),
    );

  it('is passed by our checker, but for what refers elsewhere', () => {
    const all = tests();
    const failed = all.filter(
      ({ schema, value, valid }) => (checkValue(schema, value).length === 0) !== valid,
    );

    expect(failed.filter(({ file, what }) => !NOT_DONE.test(file) && !DYNAMIC.test(what))).toEqual([]);
    expect(failed.length / all.length).toBeLessThan(0.04);
  });

  it('is passed by the kit’s checker, but for what refers elsewhere', async () => {
    const all = tests();
    const verdicts = await kitVerdicts(all);
    const failed = all.filter(({ valid }, at) => verdicts[at] !== valid);

    expect(failed.filter(({ file, what }) => !NOT_DONE.test(file) && !DYNAMIC.test(what))).toEqual([]);
    expect(failed.length / all.length).toBeLessThan(0.04);
  });
});

describe('the kit’s checker', () => {
  it('agrees with ours on generated values, and on schemas that are odd', async () => {
    const odd: Case[] = [
      { type: 'date' },
      { type: ['string', 'any'] },
      { minimum: '3' },
      { required: 'a' },
      { properties: { a: { required: true } } },
      { $ref: '#/$defs/Lost' },
      { $ref: 'https://elsewhere.example/schema.json' },
      { properties: { a: { $ref: '#' } }, additionalProperties: false },
      { $ref: '#' },
      { pattern: '(' },
      { pattern: '^(a+)+$' },
      { pattern: String.raw`^\d+$` },
      { patternProperties: { '(': {} }, additionalProperties: false },
      { items: [{ type: 'string' }], additionalItems: false },
      { type: 'integer', nullable: true },
      { format: 'date' },
      { $ref: '#/components/schemas/A', components: { schemas: { A: { type: 'string' } } } },
    ].flatMap((schema) =>
      [
        null,
        1,
        0,
        true,
        'a',
        '7',
        '٣',
        `${'a'.repeat(30)}!`,
        'a\n',
        ['a'],
        [1],
        ['a', 1],
        {},
        { a: {} },
        { b: 1 },
      ].map((value) => ({ schema: schema as Case['schema'], value })),
    );
    const generated = generatedSchemas(250, 11).flatMap(({ schema, values }) =>
      values.map((value) => ({ schema, value })),
    );
    const cases = [...odd, ...generated];
    const verdicts = await kitVerdicts(cases);

    const ours = cases.map(({ schema, value }) => checkValue(schema, value).length === 0);
    expect(cases.filter((_, at) => verdicts[at] !== ours[at])).toEqual([]);
    expect(new Set(ours)).toEqual(new Set([true, false]));
  });
});
