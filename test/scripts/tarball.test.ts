import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesNaming } from '../../scripts/tarball.mjs';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

it('finds the files of a package that name a folder of this machine, in bytes of any kind', () => {
  writeFileSync(join(folder(), 'plain.js'), 'const here = "./out";');
  writeFileSync(join(folder(), 'built.js'), 'const file = "/home/someone/interject/src/main.ts";');
  writeFileSync(join(folder(), 'addon.node'), Buffer.from('\0\xff/home/someone/interject/x.c\0', 'latin1'));

  expect(filesNaming(folder(), ['plain.js', 'built.js', 'addon.node'], ['/home/someone'])).toEqual([
    'built.js',
    'addon.node',
  ]);
});
