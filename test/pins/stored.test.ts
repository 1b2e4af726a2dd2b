// What is stored and spoken stays as it is. `folder/` is a data folder that an earlier version wrote: played, stepped into,
// forked, tapped, imported and reviewed episodes. `expected.json.br` holds every file, line and answer that version made
// from it, and the two are never written again: a change that is meant is listed in MEANT, in words a reviewer can read.
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { userKey } from '../../src/main/hosts/userKey.ts';
import { markAsOwn } from '../../src/main/settings/cameWith.ts';
import { contract, type Inputs, type Method } from '../../src/shared/contract/contract.ts';
import { ExportFormat } from '../../src/shared/contract/export.ts';
import { FailureShape } from '../../src/shared/failure.ts';
import { Recorded } from '../../src/shared/events/vocabulary.ts';
import { typeIn, type Command } from '../support/commandLine.ts';
import { filesOf } from '../support/filesOf.ts';
import { openProduct } from '../support/product.ts';

const EXPECTED = join(import.meta.dirname, 'expected.json.br');
const SHA256 = 'af06d7c14aaf4d35e339296e35eab9b0f86269fcd8a5286d806113a6682f669f';

/** What differs on purpose since then, by the beginning of its name: `['contract queue.assign ', 'no view called it']`. */
const MEANT: readonly (readonly [name: string, why: string])[] = [
  ['answer log.search {"query":"names"', 'the snippet of a note ended in the id of the note'],
  ['contract export.check ', 'a held-out task may name its environment'],
  ['contract export.write ', 'a held-out task may name its environment'],
  ['contract export.history ', 'a held-out task may name its environment'],
  ['export advisor', 'the column `leaked` was added: values in the advice that the agent could not know'],
  ['export grpo-wide/', 'its rows say in which environment a scenario is played'],
  ['export grpo/', 'a task of the built-in world is no duplicate of the AWM task that had its name any more'],
  ['export sft-strip/', 'the side of a task goes by its scenario, and the built-in world has another name'],
  ['answer log.search {"query":"workflow"', 'the built-in world has another name'],
  [
    'answer library.facets ',
    'a built-in world and an AWM scenario of one name are two; conditions with a brief were added',
  ],
  ['export kto/', 'rows that call one reply both good and bad are left out'],
  ['contract episode.erase input', 'a command may give no reason'],
  ['contract gateway.describe ', 'nothing called it: the gateway topic pushes the same'],
  ['contract queue.assign ', 'nothing called it: queue.assign_many does the same'],
  ['contract desk.page ', 'nothing called it: the desk topic pushes the same'],
  ['contract preview.run ', 'a try also reads the names of the records in its calls'],
  ['answer settings.read ', 'each value says what it was read from'],
  ['contract answers.mine output', 'an answer says its task and its calls in words'],
  ['answer answers.mine ', 'an answer says its task and its calls in words'],
  ['contract practice.read ', 'a guided first question is in place of the practice round'],
  ['contract practice.answer ', 'a guided first question is in place of the practice round'],
  ['contract advice.similar output', 'an earlier answer says its task in words'],
  ['answer advice.similar ', 'an earlier answer says its task in words'],
  [
    'contract preview.changes output',
    'what a try changed also gives the records that its calls point at, for their names',
  ],
  [
    'answer preview.changes ',
    'what a try changed also gives the records that its calls point at, for their names',
  ],
  ['contract rewards.open ', 'the comparison of two sets of numbers is gone'],
  ['contract rewards.score ', 'the same'],
  ['contract rewards.rows ', 'the same'],
  ['contract rewards.close ', 'the same'],
  ['contract rewards.keep ', 'scores are written by the export `scores`, and not stored'],
  ['contract rewards.kept ', 'the same'],
  ['answer rewards.kept ', 'the same'],
  ['storage key interject.token', 'the token lies in a cookie that no script reads'],
  ['contract invites.', 'an invite says when it expires, when it was last used, and which key made it'],
  ['contract keys.', 'a key says which key made it'],
  ['answer keys.defaults ', 'one default key for each environment opens every door'],
  ['contract keys.defaults ', 'the same'],
  ['contract project.read ', 'nothing called it: project.list gives the same rows'],
  ['contract keys.list output', 'a key to a tap says how long its held calls wait, and what becomes of them'],
  [
    'contract keys.create output',
    'a key to a tap says how long its held calls wait, and what becomes of them',
  ],
  ['contract gateway.settings ', 'how long a held call waits, and what becomes of it, is said of each key'],
  ['contract gateway.configure ', 'how long a held call waits, and what becomes of it, is said of each key'],
  ['contract episode.verify ', 'the environment’s own verifier is the only judge'],
  ['answer gateway.settings ', 'how long a held call waits, and what becomes of it, is said of each key'],
];
/** Choices that were added since: a value of an enumeration, and why. */
const ADDED_CHOICES: ReadonlyMap<unknown, string> = new Map([
  ['human', 'a person may play a whole episode (the policy of its agent)'],
  ['lost_secret', 'a lift leaves out an episode whose reset had a secret that no log holds'],
  ['expired', 'a turn of a client whose call nobody approved in time'],
  ['skip', 'an audit says of a check that it was not tried'],
]);
/** A failure that nothing throws any more: no verifier is run here. */
const GONE_CODE = 'sandbox_unavailable';
/** Kinds of event that nothing writes any more, and why. */
const GONE_KINDS: ReadonlyMap<unknown, string> = new Map([
  ['episodes.scored', 'scores are written by the export `scores`, and not stored'],
]);
/** The same of what one command printed. */
const MEANT_COMMANDS =
  /"type":"export","format":"(?:kto|advisor|grpo|scores)"|"privilege_unknown":3,"set_aside":1/;
/** A warning that is gone: a measurement in milliseconds was taken for a card number. */
const MEANT_FINDINGS = /^\{"type":"finding","check":"(?:events_personal|card_numbers)".*\n/gm;

/** Exports that carry the condition say since then that experts were blinded. */
const MEANT_CONDITION = /,"blinded":true/g;

/** Ports differ from run to run. */
const steady = (text: string): string =>
  text.replaceAll(/http:\/\/127\.0\.0\.1:(?!9\b)\d+/g, 'http://127.0.0.1:PORT');

/** The built-in world had the name of a real AWM scenario then; what tells of it has its present name. */
const renamed = (text: string): string =>
  text
    .replaceAll('workflow_automation_1', 'loomline_workflows')
    // Added where a scenario is named.
    .replaceAll(/ *"environment_key": ?"[^"]*",\n?/g, '')
    .replaceAll(/ *"environments": \[\n(?:  ".*\n)* \],\n/g, '')
    // The seat that asks sees one verdict more: of the AWM task that had the name of a built-in one.
    .replaceAll(/ "(seq|indexed|total)": 5(?:28|29|30),?$/gm, ' "$1": END');
/** What is held byte for byte elsewhere, and has another digest under another name. */
const withoutDigests = (text: string): string =>
  text.replace(/^( *description: )sha256 [0-9a-f]{64}$/m, '$1…').replaceAll(/^[0-9a-f]{64} /gm, '');

const FAILURE_CODES = `[${FailureShape.shape.code.options.map((code) => `"${code}"`).join()}]`;

/** What is pinned of a text: what a program reads. The wording of sentences may change, and a failure may get a new code. */
function pinned(name: string, text: string): string {
  if (name.endsWith('/README.md')) return withoutDigests(text.split('\n---\n')[0] ?? '');
  if (name.endsWith('/CHECKSUMS')) return withoutDigests(text.replace(/^.* README\.md\n/m, ''));
  if (/^export (?:atif|episode_record)/.test(name)) return text.replaceAll(MEANT_CONDITION, '');
  if (name === 'command lines') {
    const commands = text
      .split(/(?<=^\{"type":"(?:export|error)".*\n)/m)
      .filter((one) => !MEANT_COMMANDS.test(one));
    return (
      commands
        .join('')
        .replaceAll(MEANT_FINDINGS, '')
        .replaceAll(/"(message|next)":"(?:[^"\\]|\\.)*"/g, '"$1":"…"')
        .replaceAll(/"bytes":\d+/g, '"bytes":0')
        // `interject score` is gone: what it printed stands between the exports and the worlds.
        .replace(/^\{"type":"score",[^]*?(?=^\{"type":"world",)/m, '')
        // Worlds that were added since.
        .replaceAll(/^\{"type":"world","name":"(?!loomline_).*\n/gm, '')
        // Each world says since what it is.
        .replaceAll(/(^\{"type":"world",.*),"description":"(?:[^"\\]|\\.)*"\}$/gm, '$1}')
    );
  }
  if (name === 'command exit codes')
    return text.replaceAll(/^\d (?:score|export --format scores)\b.*\n/gm, '');
  return text.replaceAll(/\[\s*"[a-z_"\s,]*"reset_failed"[^\]]*\]/g, (codes) =>
    (JSON.parse(codes) as string[]).every((code) => code === GONE_CODE || FAILURE_CODES.includes(`"${code}"`))
      ? '["failure codes"]'
      : codes,
  );
}

let folder = '';
let made: Record<string, string> = {};
let expected: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interject-pins-'));
  made = {
    ...(await commandLine()),
    ...(await answers()),
    ...schemas(),
    'settings.json': readFileSync(join(folder, 'app', 'settings.json'), 'utf8'),
    ...Object.fromEntries(storageKeys().map((key) => [`storage key ${key}`, key])),
  };
  for (const [name, text] of Object.entries(made)) made[name] = steady(text);
  if (process.env['PIN'] === 'write') writeFileSync(EXPECTED, brotliCompressSync(JSON.stringify(made)));
  expected = JSON.parse(brotliDecompressSync(readFileSync(EXPECTED)).toString()) as typeof expected;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('is held against what was made then, and nothing newer', () => {
  expect(createHash('sha256').update(JSON.stringify(expected)).digest('hex')).toBe(SHA256);
});

it.each([
  ['exports every format byte for byte as before', 'export '],
  ['prints the same lines with --json', 'command '],
  ['tells the console the same of the library, episodes, reviews and scores', 'answer '],
  ['takes and gives the same in every command of the console', 'contract '],
  ['stores events of the same shape', 'event '],
  ['keeps the settings file as it was', 'settings.json'],
  ['keeps a browser’s choices under the same names', 'storage key '],
])('%s', (_promise, prefix) => {
  const isMeant = (name: string): boolean => MEANT.some(([begin]) => name.startsWith(begin));
  const names = Object.keys(expected).filter((name) => name.startsWith(prefix) && !isMeant(name));
  expect(names.length).toBeGreaterThan(0);
  // A new file, command or key is an addition; one that is gone is not.
  expect(names.filter((name) => made[name] === undefined)).toEqual([]);
  for (const name of names) {
    const was = pinned(name, renamed(expected[name] ?? ''));
    const is = pinned(name, renamed(made[name] ?? ''));
    const isSchema = name.startsWith('contract ') || name.startsWith('event ');
    expect(`${name}\n${isSchema ? withoutAdditions(was, is) : is}`).toBe(
      `${name}\n${isSchema ? withoutAdditions(was, was) : was}`,
    );
  }
});

type Schema = { properties?: Record<string, unknown>; required?: string[] } & Record<string, unknown>;
const kindIn = (schema: unknown): unknown =>
  ((schema as Schema | null)?.properties?.['kind'] as { const?: unknown } | undefined)?.const;

/** A value more that a field may have is an addition too. */
const withoutNewValues = (old: unknown, now: unknown): unknown =>
  Array.isArray(old) && Array.isArray(now) ? now.filter((one) => old.includes(one)) : now;

/** A JSON Schema without the kinds and the optional fields that another one does not have: these may be added. */
function withoutAdditions(was: string, is: string): string {
  const walk = (old: unknown, now: unknown): unknown => {
    if (Array.isArray(old) && Array.isArray(now)) {
      const lasting = old.filter((one) => !GONE_KINDS.has(kindIn(one)));
      const kinds = new Set(lasting.map(kindIn));
      const isAdded = (one: unknown): boolean => ADDED_CHOICES.has(one) && !old.includes(one);
      return now
        .filter((one) => kinds.has(kindIn(one)) && !isAdded(one))
        .map((one, at) => walk(lasting[at], one));
    }
    if (typeof old !== 'object' || typeof now !== 'object' || old === null || now === null) return now;
    const [before, { properties, required = [], ...rest }] = [old as Schema, now as Schema];
    const isOld = ([name]: [string, unknown]): boolean =>
      before.properties === undefined || Object.hasOwn(before.properties, name) || required.includes(name);
    const kept = properties && Object.fromEntries(Object.entries(properties).filter(isOld));
    const all = { ...now, ...rest, ...(kept === undefined ? {} : { properties: kept }) };
    return Object.fromEntries(
      Object.entries(all).map(([key, value]) => [
        key,
        key === 'enum' ? withoutNewValues(before[key], value) : walk(before[key], value),
      ]),
    );
  };
  return was.startsWith('{') ? JSON.stringify(walk(JSON.parse(was), JSON.parse(is)), null, 1) : is;
}

/** A copy of the data folder, to work on as the user who made it. */
async function copyOf(name: string): Promise<string> {
  const copy = join(folder, name);
  cpSync(join(import.meta.dirname, 'folder'), copy, { recursive: true });
  const packed = join(copy, 'interject.db.br');
  writeFileSync(join(copy, 'interject.db'), brotliDecompressSync(readFileSync(packed)));
  rmSync(packed);
  // Scores that were stored beside the episodes: the kind of event went with the reward lab.
  const db = new DatabaseSync(join(copy, 'interject.db'));
  db.exec("DELETE FROM events WHERE stream LIKE 'scored/%'");
  db.close();
  markAsOwn(copy, await userKey());
  return copy;
}

const WIDE = '--any --timeouts --late --fabricated --contrary --no-dedupe --min-reward -9'.split(' ');
/** Formats that hold completed or judged episodes alone take no other verdict. */
const FIXED = new Set<ExportFormat>(['demonstrations']);

async function commandLine(): Promise<Record<string, string>> {
  await copyOf('home');
  const exports = ExportFormat.options.flatMap((format): string[][] => {
    const one = ['--format', format, '--force', '--out'];
    const narrow = [...one, `out/${format}`, '--despite', 'too_few', 'no_rows'];
    const wide = [...one, `out/${format}-wide`, ...WIDE, '--despite', 'too_few'];
    return FIXED.has(format) ? [narrow] : [narrow, wide];
  });
  const typed = [
    ...exports.map((args) => ['export', ...args]),
    [
      'export',
      '--format',
      'sft',
      '--out',
      'out/sft-strip',
      '--any',
      '--privilege',
      'strip',
      '--validation',
      '0.5',
    ],
    ['export', '--format', 'sft', '--check'],
    ['export', '--format', 'source', '--out', 'out/source'],
    ['export', '--format', 'annotations', '--out', 'out/annotations'],
    ['world', 'list'],
  ];
  const lines: Record<string, string> = {};
  const commands: Command[] = typed.map((args) => ({ args: [...args, '--json'] }));
  const { codes, out } = await typeIn(folder, commands);
  lines['command lines'] = out;
  lines['command exit codes'] = typed.map((args, at) => `${String(codes[at])} ${args.join(' ')}`).join('\n');
  for (const [name, text] of Object.entries(filesOf(join(folder, 'out')))) lines[`export ${name}`] = text;
  return lines;
}

async function answers(): Promise<Record<string, string>> {
  const product = await openProduct(await copyOf('app'));
  const answered: Record<string, string> = {};
  const call = product.as('seat-one');
  const ask = async <M extends Method>(method: M, input: Inputs[M]) => {
    const output = await call(method, input);
    answered[`answer ${method} ${JSON.stringify(input)}`] = JSON.stringify(output, null, 1);
    return output;
  };
  try {
    const list = { query: '', status: null, condition: null, offset: 0, limit: 100 } as const;
    const { rows } = await ask('episodes.page', { ...list, filter: {} });
    for (const by of ['turns', 'reward', 'human_acts', 'tool_errors'] as const)
      await ask('episodes.page', { ...list, filter: {}, order: { by, is_ascending: true } });
    for (const { id } of rows) await ask('episode.read', { episode: id, after: 0, limit: 500 });
    await ask('library.facets', {});
    await ask('groups.page', { query: '', offset: 0, limit: 50 });
    await ask('decisions.page', { fate: null, offset: 0, limit: 100 });
    await ask('answers.mine', { offset: 0, limit: 100 });
    await ask('gateway.settings', {});
    await ask('keys.defaults', {});
    await ask('settings.read', {});
    await ask('environments.list', {});
    await ask('rewards.profiles', {});
    const { projects } = await ask('project.list', {});
    for (const { project, queues } of projects) {
      await ask('annotation.export', { project, offset: 0, limit: 500 });
      for (const { queue } of queues) {
        const { items } = await ask('queue.items', { project, queue, show: 'all', offset: 0, limit: 100 });
        for (const { item, is_complete } of items)
          if (is_complete) await ask('annotation.conflicts', { project, queue, item });
      }
    }
    for (const query of ['workflow', 'look', 'advice', 'names', 'seen enough', 'quicker', 'good', 'reject*'])
      await ask('log.search', { query, kinds: [], before: null, limit: 50 });
    return answered;
  } finally {
    await product.close();
  }
}

function schemas(): Record<string, string> {
  const text = (schema: z.ZodType, io: 'input' | 'output'): string =>
    JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), null, 1);
  const all: Record<string, string> = { 'event recorded': text(Recorded, 'input') };
  for (const [method, { input, output }] of Object.entries(contract)) {
    all[`contract ${method} input`] = text(input, 'input');
    all[`contract ${method} output`] = text(output, 'output');
  }
  return all;
}

/** Names that are read or written somewhere in the console's source. */
function storageKeys(): string[] {
  const source = filesOf(join(import.meta.dirname, '../../src/renderer'));
  const names = Object.values(source).flatMap((text) => [
    ...text.matchAll(/\bkept\.(?:read|write|remove|names)\(\s*['`]([^'`$]+)/g),
    ...text.matchAll(/'(interject\.[a-z]+)'/g),
  ]);
  return [...new Set(names.map(([, name]) => name ?? ''))].toSorted();
}
