// Checks the folder of an environment: its openenv.yaml, and whether the files that it names are there.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { isRecord, tryJson } from '../../shared/json.ts';
import { validationBlockFaults } from './validationBlock.ts';

type PackageCheck = { name: string; status: 'pass' | 'warn' | 'fail' | 'skip'; evidence: string };
type Manifest = Record<string, unknown>;

const MANIFEST = 'openenv.yaml';

/**
 * Checks a folder; `schema` is `/schema` of its running server, null where none is known. A manifest that cannot be
 * read is the only result; of one that can, every fault is told. Never throws.
 */
export function checkPackageFolder(folder: string, schema: string | null): PackageCheck[] {
  const read = readManifest(folder);
  if (typeof read === 'string') return [{ name: 'manifest', status: 'fail', evidence: read }];
  return [
    { name: 'manifest', ...manifestFacts(read) },
    { name: 'app', ...appFile(folder, read) },
    { name: 'package files', ...packageFiles(folder) },
    { name: 'validation block', ...validationBlock(read) },
    ...(schema === null ? [] : [{ name: 'action and observation', ...classes(read, schema) }]),
  ];
}

const pass = (evidence: string) => ({ status: 'pass' as const, evidence });
const warn = (evidence: string) => ({ status: 'warn' as const, evidence });
const fail = (evidence: string) => ({ status: 'fail' as const, evidence });
const skip = (evidence: string) => ({ status: 'skip' as const, evidence });

function readManifest(folder: string): Manifest | string {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return `there is no folder ${folder}`;
  if (!found.isDirectory()) return `${folder} is a file; name the folder that holds ${MANIFEST}`;
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) return `there is no ${MANIFEST} in ${folder}`;
  try {
    const manifest = readYaml(readFileSync(file, 'utf8'));
    return isRecord(manifest) ? manifest : `${MANIFEST} is no mapping of keys to values`;
  } catch (thrown) {
    return `${MANIFEST} cannot be read: ${(thrown as Error).message}`;
  }
}

/** Python's YAML knows fewer booleans and powers of ten than YAML 1.1 does. */
const AS_PYTHON = [
  /^(?:[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/,
  /^(?:[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/,
  /^[-+]?\d[\d_]*\.[\d_]*[eE][-+]\d+$/,
];

/** Throws an `Error` that names the line. */
export function readYaml(text: string): unknown {
  const document = parseDocument(text, {
    version: '1.1',
    customTags: (tags) =>
      tags.map((tag) => {
        if (typeof tag === 'string' || tag.test === undefined) return tag;
        const test = AS_PYTHON[['yes', 'no', '1.0e+3'].findIndex((one) => tag.test?.test(one) === true)];
        return test === undefined ? tag : { ...tag, test };
      }),
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw new Error(problem.message.split(':\n', 1)[0]);
  return document.toJS();
}

const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  spec_version: [1],
  type: ['space'],
  runtime: ['fastapi'],
};

function manifestFacts(manifest: Manifest) {
  const { name, port } = manifest;
  const isPort = Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;
  const faults = [
    ...(typeof name !== 'string' || name.trim() === '' ? ['`name` has to be a text'] : []),
    ...(port === undefined || isPort
      ? []
      : [`\`port\` has to be a whole number from 1 to 65535, not ${JSON.stringify(port)}`]),
  ];
  const strange = Object.entries(KNOWN).flatMap(([key, known]) => {
    const value = manifest[key];
    if (value === undefined) return [`no ${key}`];
    return known.includes(value)
      ? []
      : [`${key} is ${JSON.stringify(value)}, not ${known.map(String).join(' or ')}`];
  });
  if (faults.length > 0) return fail([...faults, ...strange].join('; '));
  const facts = ['name', 'spec_version', 'type', 'runtime', 'port']
    .filter((key) => manifest[key] !== undefined)
    .map((key) => `${key} ${String(manifest[key])}`);
  return strange.length === 0 ? pass(facts.join(', ')) : warn(`${facts.join(', ')}; ${strange.join(', ')}`);
}

/** `server.app:app`, from the folder or, where the folder is part of a larger package, from a folder above it. */
function appFile(folder: string, { app }: Manifest) {
  if (app === undefined) return warn('`app` is not named: who starts it has to know it');
  const match = typeof app === 'string' ? /^([\w.]+):(\w+)$/.exec(app) : null;
  if (match === null) return fail(`\`app\` is written like server.app:app, not ${JSON.stringify(app)}`);
  const [, module = '', variable = ''] = match;
  const parts = module.split('.');
  const file = parts
    .map((_, at) => `${parts.slice(at).join('/')}.py`)
    .find((path) => existsSync(join(folder, path)));
  if (file === undefined) return fail(`\`app\` names ${parts.join('/')}.py, which is not there`);
  const isThere = new RegExp(`^${variable}\\b`, 'm').test(readFileSync(join(folder, file), 'utf8'));
  return isThere
    ? pass(`${variable} in ${file}`)
    : warn(`${file} is there, but sets no ${variable} of its own`);
}

function packageFiles(folder: string) {
  const missing = ['__init__.py', 'client.py', 'README.md', 'pyproject.toml'].filter(
    (file) => !existsSync(join(folder, file)),
  );
  const hasImage = ['Dockerfile', 'server/Dockerfile'].some((file) => existsSync(join(folder, file)));
  const all = hasImage ? missing : [...missing, 'Dockerfile or server/Dockerfile'];
  return all.length === 0
    ? pass('all that `openenv push` asks for')
    : warn(`\`openenv push\` asks for what is not there: ${all.join(', ')}`);
}

function validationBlock({ validation }: Manifest) {
  const faults = validationBlockFaults(validation);
  return faults.length === 0
    ? pass('`openenv validate` accepts it (static.manifest)')
    : warn(`\`openenv validate\` fails static.manifest, episodes run all the same: ${faults.join('; ')}`);
}

function classes(manifest: Manifest, schema: string) {
  const shapes = tryJson(schema);
  const told = (['action', 'observation'] as const).flatMap((key) => {
    const named = manifest[key];
    const shape = isRecord(shapes) ? shapes[key] : null;
    const served = isRecord(shape) ? shape['title'] : undefined;
    return typeof named === 'string' && typeof served === 'string' ? [{ key, named, served }] : [];
  });
  const other = told.filter(({ named, served }) => named !== served);
  if (told.length === 0) return skip('not tried: not named in the manifest, or not in /schema');
  return other.length === 0
    ? pass(`as served: ${told.map(({ named }) => named).join(', ')}`)
    : warn(
        other
          .map(({ key, named, served }) => `${key} is ${named} here and ${served} at the server`)
          .join('; '),
      );
}
