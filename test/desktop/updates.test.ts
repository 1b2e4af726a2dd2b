import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEpisode, waitForDraft } from '../e2e/console.ts';
import {
  electronName,
  endDesktop,
  isLetGo,
  newHome,
  removeHome,
  startDesktop,
  type Desktop,
} from './desktop.ts';

/** What an AppImage is to whoever starts it: a program. This one says that it ran. */
const program = (name: string, marker: string): string => `#!/bin/sh\necho ${name} > '${marker}'\n`;

const feedOf = (bytes: Buffer): string => `version: 99.0.0
files:
  - url: interject-99.0.0-linux-x86_64.AppImage
    sha512: ${createHash('sha512').update(bytes).digest('base64')}
    size: ${String(bytes.length)}
path: interject-99.0.0-linux-x86_64.AppImage
sha512: ${createHash('sha512').update(bytes).digest('base64')}
releaseDate: '2026-11-24T04:55:00.000Z'
`;

describe.runIf(process.platform === 'linux')(`an update (${electronName})`, () => {
  let home: string;
  let desktop: Desktop;
  let server: Server;
  let marker: string;
  let image: string;
  let fresh: Buffer;
  let files: Record<string, Buffer>;
  const before = { ...process.env };

  beforeEach(async () => {
    home = newHome();
    marker = join(home, 'ran');
    image = join(home, 'Interject.AppImage');
    writeFileSync(image, program('old', marker));
    chmodSync(image, 0o755);
    fresh = Buffer.from(program('new', marker));
    files = {
      '/latest-linux.yml': Buffer.from(feedOf(fresh)),
      '/interject-99.0.0-linux-x86_64.AppImage': Buffer.from(program('other', marker)),
    };
    server = createServer(({ url }, response) => {
      const body = files[new URL(url ?? '/', 'http://here').pathname];
      response.statusCode = body === undefined ? 404 : 200;
      response.end(body);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    Object.assign(process.env, {
      INTERJECT_UPDATE_URL: `http://127.0.0.1:${String(port)}/`,
      APPIMAGE: image,
    });
    const window = join(home, 'share', 'interject', 'window');
    mkdirSync(window, { recursive: true });
    writeFileSync(join(window, 'updates.json'), '{"isCheckedAtStart":false}');
    desktop = await startDesktop(home);
  });
  afterEach(async () => {
    process.env = { ...before };
    await endDesktop(desktop);
    server.close();
    removeHome(home);
  });

  const choose = (label: string): Promise<void> =>
    desktop.app.evaluate(({ Menu }, wanted) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
      setImmediate(() => items?.find((item) => item.label === wanted)?.click());
    }, label);
  /** Waits for the question after those before it, and answers it. */
  const answer = async (place: number, message: string, button: string): Promise<void> => {
    const question = async () => (await desktop.asked())[place];
    await expect.poll(async () => (await question())?.message).toBe(message);
    await desktop.answerWith(button);
    await expect.poll(async () => (await question())?.answered).toBe(button);
  };

  it('is fetched, checked and started only as far as a person says yes, and closes in order before', async () => {
    await startEpisode(desktop.page, 0, 'Human with a draft');
    await waitForDraft(desktop.page);
    await choose('Check for updates…');
    await answer(0, 'Interject 99.0.0 is available.', 'Download');
    await answer(1, 'The update failed.', 'OK');
    expect((await desktop.asked())[1]?.detail).toContain('sha512 checksum mismatch');

    files['/interject-99.0.0-linux-x86_64.AppImage'] = fresh;
    await choose('Check for updates…');
    await answer(2, 'Interject 99.0.0 is available.', 'Download');
    await answer(3, 'Interject 99.0.0 is ready.', 'Restart');
    await answer(4, '1 episode is running.', 'Cancel');
    expect(await desktop.page.evaluate(() => document.title)).toContain('Interject');
    expect(readFileSync(image, 'utf8')).toContain('old');

    await choose('Restart to update to 99.0.0…');
    await answer(5, 'Interject 99.0.0 is ready.', 'Restart');
    await expect.poll(async () => (await desktop.asked())[6]?.message).toBe('1 episode is running.');
    await desktop.answerWith('Stop and close');
    await desktop.exit;

    expect(isLetGo(desktop.folder)).toBe(true);
    await expect.poll(() => existsSync(marker)).toBe(true);
    expect(readFileSync(marker, 'utf8')).toBe('new\n');
  });
});
