import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileSecrets } from '../../src/main/settings/fileSecrets.ts';
import { createSettings } from '../../src/main/settings/settings.ts';
import { USUAL_CONNECTION } from '../../src/shared/serverConnection.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'interject-reach-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const open = () => createSettings({ folder, environment: {}, secrets: createFileSecrets(folder) });

const URL = 'http://10.0.0.1:8000';
const SET = { ca_file: '/certs/ca.pem', reset_seconds: 400, transport: 'mcp', goes_on: true } as const;

describe('how an environment is reached', () => {
  it('is kept over a restart, its headers’ values among the secrets and nowhere else', () => {
    const first = open();
    const { id } = first.addEnvironment('far', URL);
    first.setConnection(id, SET, [{ name: 'X-Pass', value: 'zq7-pass-1' }]);

    expect(open().connectionOf(URL)).toEqual({ ...SET, headers: { 'X-Pass': 'zq7-pass-1' } });
    expect(readFileSync(join(folder, 'settings.json'), 'utf8')).not.toContain('zq7-pass-1');
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toContain('zq7-pass-1');
  });

  it('keeps a header whose value is not typed again, and loses one that is left out', () => {
    const settings = open();
    const { id } = settings.addEnvironment('far', URL);
    const both = ['X-Pass', 'X-Team'].map((name) => ({ name, value: `${name}-value` }));
    settings.setConnection(id, SET, both);
    settings.setConnection(id, SET, [{ name: 'X-Team', value: null }]);
    expect(settings.connectionOf(URL).headers).toEqual({ 'X-Team': 'X-Team-value' });
  });

  it('is changed in nothing where a header is refused', () => {
    const settings = open();
    const { id } = settings.addEnvironment('far', URL);
    const bad = [{ name: 'X Pass', value: 'a' }];
    expect(() => settings.setConnection(id, SET, bad)).toThrow(/no name of a header/);
    expect(settings.connectionOf(URL)).toEqual(USUAL_CONNECTION);
  });

  it('is said by flags before it is by settings, header by header, until the program ends', () => {
    const settings = open();
    const { id } = settings.addEnvironment('far', URL);
    settings.setConnection(id, SET, [
      { name: 'X-Pass', value: 'kept' },
      { name: 'X-Team', value: 'blue' },
    ]);
    settings.useConnection(URL, { headers: { 'x-team': 'red' }, reset_seconds: 5 });
    expect(settings.connectionOf(URL)).toEqual({
      ...SET,
      reset_seconds: 5,
      headers: { 'X-Pass': 'kept', 'x-team': 'red' },
    });
    expect(open().connectionOf(URL).headers).toEqual({ 'X-Pass': 'kept', 'X-Team': 'blue' });
  });

  it('is forgotten with the environment', () => {
    const settings = open();
    const { id } = settings.addEnvironment('far', URL);
    settings.setConnection(id, SET, [{ name: 'X-Pass', value: 'zq7-pass-1' }]);
    settings.removeEnvironment(id);
    expect(settings.connectionOf(URL)).toEqual(USUAL_CONNECTION);
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).not.toContain('zq7-pass-1');
  });
});
