import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openBrowser, openerOf, openerPage } from '../../src/main/hosts/openBrowser.ts';
import { terminalJson, terminalText } from '../../src/main/hosts/terminal.ts';
import { publicVariables } from '../../src/shared/publicVariables.ts';
import { HOSTILE, OBEYED } from '../support/hostileText.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = folderPerTest();

describe('text on its way to a terminal', () => {
  it('shows what a terminal would obey, and keeps words, line breaks, tabs and emoji', () => {
    expect(terminalText(HOSTILE)).not.toMatch(OBEYED);
    expect(terminalText('\u001b[31m')).toBe('\\x1b[31m');
    expect(terminalText('a\r\nb\tc é 日本 👩‍💻\n')).toBe('a\nb\tc é 日本 👩‍💻\n');
  });

  it('is the same in value as JSON, C1 and bidi controls escaped', () => {
    const text = terminalJson(JSON.stringify({ [HOSTILE]: HOSTILE, tag: '\u{e0041}' }));

    expect(text).not.toMatch(OBEYED);
    expect(JSON.parse(text)).toEqual({ [HOSTILE]: HOSTILE, tag: '\u{e0041}' });
  });

  it('has one way out: nothing else in main writes to stdout or stderr', () => {
    const writers = readdirSync(join(root, 'src/main'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) =>
        /(?:process\.)?std(?:out|err)\.write|\bconsole\.(?:log|error|warn|info|debug)/.test(
          readFileSync(path, 'utf8'),
        ),
      );

    expect(writers.map((path) => path.slice(root.length + 1))).toEqual(['src/main/hosts/terminal.ts']);
  });
});

describe('opening the browser', () => {
  it('gives the opener a page that only its owner can read, no token and no key', async () => {
    const bin = join(folder(), 'bin');
    const told = join(folder(), 'told');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'xdg-open'),
      `#!/bin/sh\n{ echo "$@"; env; } > ${told}.part\nmv ${told}.part ${told}\n`,
    );
    chmodSync(join(bin, 'xdg-open'), 0o755);
    vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`);
    vi.stubEnv('DISPLAY', ':9');
    vi.stubEnv('OPENAI_API_KEY', 'zq7-own-key');
    try {
      const opened = openBrowser('http://127.0.0.1:4747/#token=zq7token', folder());
      await vi.waitFor(() => expect(existsSync(told)).toBe(true), 60_000);

      const heard = readFileSync(told, 'utf8');
      expect(heard.split('\n')[0]).toBe(openerPage(folder()));
      expect(heard).not.toMatch(/zq7/);
      expect(statSync(openerPage(folder())).mode & 0o777).toBe(0o600);
      expect(readFileSync(openerPage(folder()), 'utf8')).toContain(
        'content="0;url=http://127.0.0.1:4747/#token=zq7token"',
      );
      opened.close();
      expect(existsSync(openerPage(folder()))).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('asks a program on every system, and no shell', () => {
    expect(openerOf('darwin', '/a b')).toEqual(['open', '/a b']);
    expect(openerOf('win32', 'C:\\a&b')).toEqual(['rundll32', 'url.dll,FileProtocolHandler', 'C:\\a&b']);
    expect(openerOf('linux', '/a')).toEqual(['xdg-open', '/a']);
  });

  it('leaves keys out of what children get', () => {
    const given = {
      PATH: '/bin',
      OPENAI_API_KEY: 'a',
      HF_TOKEN: 'b',
      PWD: '/x',
      DB: 'postgres://a:hunter2@h/x',
      LANG: 'C',
    };

    expect(publicVariables(given)).toEqual({ PATH: '/bin', PWD: '/x', LANG: 'C' });
  });
});
