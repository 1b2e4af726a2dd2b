import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { APP_ID } from '../../src/main/desktop/appId.ts';
import { builderConfig, updateFeed, withoutEmpty } from '../../scripts/parts/builderConfig.mjs';
import { isNeededFile, loadedBy, withDependencies } from '../../scripts/parts/stage.mjs';
import { folderPerTest } from '../support/temporaryFolder.ts';

const config = (env: Record<string, string> = {}, electronVersion = '45.4.1') =>
  builderConfig({
    stage: '/stage',
    output: '/made',
    icons: '/icons',
    platform: 'linux',
    arch: 'x64',
    electronVersion,
    electronDist: null,
    env,
  });

describe('the desktop package', () => {
  it('cannot be used as a Node, opened with an inspector, or given other code to run', () => {
    expect(config().electronFuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('has the name by which Windows shows the app’s announcements', () => {
    expect(config().appId).toBe(APP_ID);
  });

  it('looks for updates nowhere unless whoever builds it names a place', () => {
    expect(updateFeed({})).toBeNull();
    expect(updateFeed({ GITHUB_REPOSITORY: 'them/interject' })).toEqual({
      provider: 'github',
      owner: 'them',
      repo: 'interject',
    });
    expect(updateFeed({ GITHUB_REPOSITORY: 'a/b', INTERJECT_UPDATE_URL: 'https://own.example/x' })).toEqual({
      provider: 'generic',
      url: 'https://own.example/x',
    });
  });

  it('is signed with a certificate only where one is named, and notarised only with an account', () => {
    expect(config().mac).toMatchObject({ identity: '-', notarize: false });
    expect(config({ CSC_LINK: 'a.p12', APPLE_ID: 'me@example.com' }).mac).toMatchObject({ notarize: true });
    expect(config({ CSC_LINK: 'a.p12' }).mac).not.toHaveProperty('identity');
    // The app itself knows: an unsigned one cannot be replaced by a Mac.
    expect(config().extraMetadata).toMatchObject({ isSigned: false });
    expect(config({ CSC_NAME: 'Them' }).extraMetadata).toMatchObject({ isSigned: true });
  });

  it('takes a secret that a workflow does not have for none, also for Windows alone', () => {
    const env = { WIN_CSC_LINK: '', CSC_LINK: 'a.p12', APPLE_ID: '', DISPLAY: '' };
    expect(withoutEmpty(env)).toEqual({ CSC_LINK: 'a.p12', DISPLAY: '' });
  });

  it('takes the database’s binary of its own system along, and nothing that only builds it', () => {
    const isNeeded = isNeededFile('darwin', 'arm64');
    const database = '/p/node_modules/better-sqlite3';
    const files = [
      'prebuilds/darwin-arm64.node',
      'prebuilds/linux-x64.node',
      'deps/sqlite3.c',
      'src/a.cpp',
      'lib/database.js',
    ];

    expect(files.filter((file) => isNeeded(`${database}/${file}`))).toEqual([
      'prebuilds/darwin-arm64.node',
      'lib/database.js',
    ]);
  });
});

describe('the programs beside the archive', () => {
  const folder = folderPerTest();

  it('come with every file and package they load, however far away', () => {
    mkdirSync(join(folder(), 'chunks'));
    writeFileSync(
      join(folder(), 'tap.js'),
      'import { a } from "./chunks/a.js";\nimport fs from "node:fs";\nconst words = \'never from "elsewhere"\';',
    );
    writeFileSync(
      join(folder(), 'chunks/a.js'),
      'import {\n  b\n} from "./b.js";\nimport { z } from "zod/mini";',
    );
    writeFileSync(join(folder(), 'chunks/b.js'), 'const c = await import("../c.js");');
    writeFileSync(join(folder(), 'c.js'), 'import d from "@scope/d/inner.js";');

    expect(loadedBy(folder(), ['tap.js'])).toEqual({
      files: ['tap.js', 'chunks/a.js', 'chunks/b.js', 'c.js'],
      packages: ['zod', '@scope/d'],
    });
  });

  it('come with what those packages need in turn, types apart', () => {
    const described: Record<string, Record<string, string>> = {
      a: { b: '1', '@types/a': '1' },
      b: { c: '1' },
      c: {},
    };
    for (const [name, dependencies] of Object.entries(described)) {
      mkdirSync(join(folder(), name));
      writeFileSync(join(folder(), name, 'package.json'), JSON.stringify({ dependencies }));
    }

    expect(withDependencies(folder(), ['a'])).toEqual(['a', 'b', 'c']);
  });
});
