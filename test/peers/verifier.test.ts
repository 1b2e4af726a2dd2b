// The verifier code of the real Agent World Model server against what the sandbox's tests hold as literals, and against
// the sandbox itself. The server is in no package: INTERJECT_AWM_SERVER names its folder in a checkout of OpenEnv
// (envs/agent_world_model_env/server), on Python 3.11 as in its image.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxParts } from '../../src/main/verifier/runtime.ts';
import { createSandbox } from '../../src/main/verifier/sandbox.ts';
import { runVerifier } from '../../src/main/verifier/verdict.ts';
import { sandboxHere } from '../support/sandbox.ts';
import { AWM_CASES } from '../verifier/awm/cases.ts';
import { itemsDatabase } from '../verifier/awm/databases.ts';
import keptBack from '../verifier/awm/kept_back.expected.json' with { type: 'json' };
import modules from '../verifier/awm/modules.expected.json' with { type: 'json' };
import { pythonRows, root } from './support.ts';

const server = process.env['INTERJECT_AWM_SERVER'];
const hasServer = server !== undefined && existsSync(join(server, '_verifier_runner.py'));
const venv = join(root, 'test/peers/.venv');
const sitePackages = (): string => {
  const [python = ''] = readdirSync(join(venv, 'lib')).filter((name) => name.startsWith('python3'));
  return join(venv, 'lib', python, 'site-packages');
};

const read = (name: string): string => readFileSync(join(root, 'test/verifier/awm', `${name}.py`), 'utf8');
const asEvidence = (code: string): string => code.replace('def verify_task_completion', 'def verify_task');
const CASES = [
  { name: 'every module', form: 'code', code: read('modules'), label: 'complete', result: modules },
  {
    name: 'every module, as evidence',
    form: 'sql',
    code: asEvidence(read('modules')),
    label: 'incomplete',
    result: modules,
  },
  { name: 'what is kept back', form: 'code', code: read('kept_back'), label: 'complete', result: keptBack },
  ...AWM_CASES,
] as const;

const folder = mkdtempSync(join(tmpdir(), 'interject-awm-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasServer)('the real server’s verifier code', { timeout: 300_000 }, () => {
  let answers: Record<string, unknown>[] = [];
  beforeAll(async () => {
    for (const isFinal of [false, true])
      writeFileSync(join(folder, isFinal ? 'final.db' : 'initial.db'), itemsDatabase(isFinal));
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(CASES));
    const paths = ['cases.json', 'initial.db', 'final.db'].map((name) => join(folder, name));
    answers = await pythonRows('openenv-0.10.0', 'run_verifier.py', [server ?? '', ...paths]);
  }, 300_000);

  it('says of every case what the sandbox’s tests expect', () => {
    const expected = CASES.map(({ name, label, result }) => ({ name, label, result }));
    expect(answers).toEqual(expected);
  });
});

describe('the sandbox with the packages of an environment', { timeout: 300_000 }, () => {
  const wheels = join(folder, 'wheels');
  /** The packages as pip downloads them, without a network: a wheel is an archive of what it installs. */
  const makeWheels = (): string => {
    mkdirSync(wheels);
    for (const [wheel, content] of [
      ['python_dateutil-2.9.0-py3-none-any.whl', 'dateutil'],
      ['pytz-2026.1-py3-none-any.whl', 'pytz'],
      ['six-1.17.0-py3-none-any.whl', 'six.py'],
    ] as const) {
      const args = ['-m', 'zipfile', '-c', join(wheels, wheel), content];
      execFileSync(join(venv, 'bin/python'), args, { cwd: sitePackages() });
    }
    return wheels;
  };

  it.each([
    ['from its site-packages', sitePackages],
    ['from wheels', makeWheels],
  ])('answers with every module as the server does, %s', async (_where, packages) => {
    const parts = sandboxParts({ ...sandboxHere, packages });
    const sandbox = createSandbox({ ...parts, limits: { ...parts.limits, timeMs: 120_000 }, spare: 0 });
    const input = {
      initial: itemsDatabase(false),
      current: itemsDatabase(true),
      final_answer: null,
      at: null,
    };
    const { reward_type: label, evidence } = await runVerifier(sandbox, read('modules'), input);
    sandbox.close();
    expect({ label, evidence }).toEqual({ label: 'complete', evidence: modules });
  });
});

/** Dates in words, months added and zones with their history: what verifiers import the packages for. */
const DATED = `def verify_task_completion(initial_db_path, final_db_path):
    import dateutil
    from dateutil import parser
    from dateutil.relativedelta import relativedelta
    import pytz
    from datetime import datetime
    due = parser.parse("31 January 2026, 5:30 pm")
    out = [(due + relativedelta(months=n)).isoformat() for n in (0, 1, 13)]
    out += [str(relativedelta(datetime(2026, 3, 1), due)), parser.parse("Thu Sep 25 10:36:28 2003 BRST", tzinfos={"BRST": -7200}).isoformat()]
    for name in ("America/New_York", "Europe/Amsterdam", "Asia/Kathmandu", "Australia/Lord_Howe"):
        zone = pytz.timezone(name)
        out += [zone.localize(datetime(year, month, 1)).isoformat() for year in (1935, 1986, 2026) for month in (1, 7)]
    ok = zone.normalize(zone.localize(due)).utcoffset().total_seconds() == 39600
    return {"result": "complete" if ok else "others", "dates": out, "versions": [dateutil.__version__, pytz.__version__]}
`;

describe('interject verify --install-packages', { timeout: 300_000 }, () => {
  const run = join(folder, 'run');
  const awm = join(folder, 'awm');
  const pip = {
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: join(venv, 'wheels'),
    INTERJECT_PYTHON: join(venv, 'bin/python'),
  };
  const verify = async (cache: string, args: string[]): Promise<Record<string, unknown>> => {
    const env = {
      ...process.env,
      ...pip,
      XDG_CACHE_HOME: join(folder, cache),
      INTERJECT_PYTHON_PACKAGES: '',
    };
    const command = [join(root, 'src/main/hosts/cli.ts'), 'verify', ...args, '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, command, { env }).catch(
      (failed: unknown) => failed as { stdout: string },
    );
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  beforeAll(() => {
    const line = { scenario: 'Orders', task_idx: 3, verification: { code: DATED } };
    for (const each of [run, awm]) mkdirSync(each);
    // A snapshot of Python that was taken before: only the packages are to be installed anew.
    cpSync(join(root, '.cache/interject'), join(folder, 'cache/interject'), { recursive: true });
    writeFileSync(join(awm, 'gen_verifier.pure_code.jsonl'), JSON.stringify(line));
    writeFileSync(join(run, 'trajectory.json'), JSON.stringify({ scenario: 'Orders', task_idx: 3 }));
    for (const name of ['initial.db', 'final.db']) writeFileSync(join(run, name), itemsDatabase(false));
  });

  it('gives verifiers that use dateutil and pytz the verdict that CPython gives with the same packages', async () => {
    const before = await verify('cache', [run, '--awm-data', awm]);
    expect(before).toMatchObject({ reward_type: 'unknown', problem_code: 'verifier_module_missing' });
    expect(before['next']).toContain('interject verify --install-packages');

    const { packages } = await verify('cache', ['--install-packages']);
    const after = await verify('cache', [run, '--awm-data', awm]);

    const script = `${DATED}\nimport json\nprint(json.dumps(verify_task_completion("", "")))`;
    const { stdout } = await promisify(execFile)(join(venv, 'bin/python'), ['-c', script]);
    expect(after).toMatchObject({ reward_type: 'complete', evidence: JSON.parse(stdout) as unknown });
    const [dateutil, pytz] = packages as { version: string }[];
    expect(after['evidence']).toMatchObject({ versions: [dateutil?.version, pytz?.version] });
  });

  it('installs nothing that has another checksum, nor anything where no index is reached', async () => {
    const other = join(folder, 'other');
    cpSync(join(venv, 'wheels'), other, { recursive: true });
    const [pytz = ''] = readdirSync(other).filter((name) => name.startsWith('pytz'));
    appendFileSync(join(other, pytz), 'changed');
    pip.PIP_FIND_LINKS = other;
    expect(await verify('fresh', ['--install-packages'])).toMatchObject({
      code: 'install_failed',
      message: expect.stringContaining('is not the one with our checksum'),
    });
    pip.PIP_FIND_LINKS = join(folder, 'nowhere');
    expect(await verify('fresh', ['--install-packages'])).toMatchObject({
      code: 'install_failed',
      message: expect.stringContaining('No matching distribution found'),
    });
    expect(readdirSync(join(folder, 'fresh/interject'))).toEqual([]);
  });
});
