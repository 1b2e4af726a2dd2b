import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readPackages } from '../../src/main/verifier/packages.ts';
import { createZones } from '../../src/main/verifier/zones.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interject-zones-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const CODE = 'from zoneinfo import ZoneInfo\nZoneInfo("Europe/" + city)\nZoneInfo("Asia/Tokyo")\n';

it('gives a verifier every zone of the system, also one whose name it puts together', () => {
  mkdirSync(join(folder, 'Europe'));
  mkdirSync(join(folder, 'right'));
  writeFileSync(join(folder, 'Europe/Oslo'), 'TZif2');
  writeFileSync(join(folder, 'right/Oslo'), 'TZif2');
  writeFileSync(join(folder, 'zone.tab'), 'text');
  const { files, hasAll } = createZones(folder)(CODE);
  expect([[...files.keys()], hasAll]).toEqual([['/usr/share/zoneinfo/Europe/Oslo'], true]);
});

it('says that zones may be missing where the system has none', () => {
  const { files, hasAll } = createZones(join(folder, 'nowhere'))(CODE);
  expect([[...files.keys()], hasAll]).toEqual([['/usr/share/zoneinfo/Asia/Tokyo'], false]);
});

it('reads only the packages that a verifier may import, and only for one that names them', () => {
  mkdirSync(join(folder, 'pytz'));
  mkdirSync(join(folder, 'requests'));
  for (const file of ['pytz/__init__.py', 'requests/__init__.py', 'six.py', 'requests-1-py3-none-any.whl'])
    writeFileSync(join(folder, file), '');
  expect([...readPackages('import json', folder).keys()]).toEqual([]);
  const named = [...readPackages('import pytz', folder).keys()].toSorted();
  expect(named).toEqual(['/packages/pytz/__init__.py', '/packages/six.py']);
});

it('names the setting when the folder of packages cannot be read', () => {
  expect(() => readPackages('import pytz', join(folder, 'nowhere'))).toThrow(/cannot be read/);
});
