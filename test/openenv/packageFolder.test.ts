import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkPackageFolder, readYaml } from '../../src/main/openenv/packageFolder.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

const MANIFEST = `spec_version: 1
name: grid
type: space
runtime: fastapi
app: server.app:app
port: 8000
action: GridAction
validation:
  reward: {floor_margin: 0.1}
  resources: {cpu: 1, memory_mb: 512, disk_mb: 512, episode_timeout_s: 60}
  capabilities:
    verifier:
      kind: reward_channel
  types:
    tags: [demo]
`;

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder(), name)), { recursive: true });
    writeFileSync(join(folder(), name), text);
  }
}
const whole = (manifest: string): void =>
  write({
    'openenv.yaml': manifest,
    'server/app.py': 'app = create_app()\n',
    '__init__.py': '',
    'client.py': '',
    'README.md': '',
    'pyproject.toml': '',
    Dockerfile: '',
  });
const statuses = (schema: string | null = null) =>
  checkPackageFolder(folder(), schema).map(({ name, status }) => `${name}: ${status}`);
const last = (schema: string | null = null) => checkPackageFolder(folder(), schema).at(-1);

describe('the folder of an environment', () => {
  it('passes when its manifest, its files and its server say the same', () => {
    whole(MANIFEST);
    expect(statuses('{"action":{"title":"GridAction"},"observation":{}}')).toEqual([
      'manifest: pass',
      'app: pass',
      'package files: pass',
      'validation block: pass',
      'action and observation: pass',
    ]);
  });

  it.each([
    ['it has no manifest', null, 'there is no openenv.yaml'],
    ['its manifest is no YAML', 'name: [a', 'at line 1, column 9'],
    ['its manifest is a list', '- a', 'no mapping'],
    ['it has no name', 'port: 8000', '`name` has to be a text'],
    ['its port is none', 'name: a\nport: 80000', 'from 1 to 65535, not 80000'],
    ['its app is not there', 'name: a\napp: server.main:app', 'names server/main.py, which is not there'],
    ['its app is not written as one', 'name: a\napp: server', 'is written like server.app:app'],
  ])('fails when %s, and says so', (_why, manifest, evidence) => {
    if (manifest !== null) whole(manifest);
    const failed = checkPackageFolder(folder(), null).find(({ status }) => status === 'fail');
    expect(failed?.evidence).toContain(evidence);
  });

  it('tells every fault of a manifest at once', () => {
    whole('port: 80000\napp: server.main:app\n');
    const text = checkPackageFolder(folder(), null)
      .map(({ name, status, evidence }) => `${name} ${status} ${evidence}`)
      .join('\n');
    expect(text).toMatch(/^manifest fail .*`name` has to be a text.*not 80000/);
    expect(text).toContain('app fail `app` names server/main.py');
    expect(text).toContain('there is no `validation:` block');
  });

  it('says where there is no such folder, or a file in its place', () => {
    const missing = join(folder(), 'gone');
    expect(checkPackageFolder(missing, null)[0]?.evidence).toBe(`there is no folder ${missing}`);
    write({ 'a.yaml': '' });
    expect(checkPackageFolder(join(folder(), 'a.yaml'), null)[0]?.evidence).toContain('a.yaml is a file');
  });

  it('says that classes were not compared where the manifest names none', () => {
    whole('name: a');
    expect(last('{"action":{"title":"GridAction"}}')?.status).toBe('skip');
  });

  it('warns of what an episode does not need: other words, other classes, missing files, no validation block', () => {
    whole('name: a\nspec_version: 2\napp: envs.a.server.app:app\naction: OtherAction\n');
    rmSync(join(folder(), 'README.md'));
    const found = checkPackageFolder(folder(), '{"action":{"title":"GridAction"}}');
    expect(found.map(({ status }) => status)).toEqual(['warn', 'pass', 'warn', 'warn', 'warn']);
    const text = found.map(({ evidence }) => evidence).join('\n');
    expect(text).toContain('spec_version is 2, not 1');
    expect(text).toContain('README.md');
    expect(text).toContain('there is no `validation:` block');
    expect(text).toContain('action is OtherAction here and GridAction at the server');
  });
});

describe('the YAML of a manifest', () => {
  it('is read with its nesting, lists, quotes, comments and blocks of text', () => {
    const text = `# about\nname: "a # b" # said\nlist:\n- 1\n- x: 1\n  y: [2, 'it''s']\nof:\n  text: |\n    one\n    two\n  none: ~\n  yes_it: yes\n  like: 1e3\n`;
    expect(readYaml(text)).toEqual({
      name: 'a # b',
      list: [1, { x: 1, y: [2, "it's"] }],
      of: { text: 'one\ntwo\n', none: null, yes_it: true, like: '1e3' },
    });
  });

  it.each([
    ['a tag of Python', 'a: !!python/name:os.system x', /line 1/],
    ['a line that is neither key nor entry', 'a: 1\nb', /line 2/],
    ['a tab', 'a:\n\tb: 1', /[Tt]ab.* at line 2/],
  ])('is refused by its line for %s', (_what, text, says) => {
    expect(() => readYaml(text)).toThrow(says);
  });
});
