// A data folder that comes from a stranger says where its tap is: nothing is told to whoever listens there.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { PROTOCOL } from '../../src/main/gateway/tap/linkProtocol.ts';
import { connect, newFolder, openTap, TOKEN } from '../support/tap.ts';
import { type Served, serveWorlds } from '../support/worlds.ts';

let worlds: Served;
let folder = '';
const heard: string[] = [];
const knocks: unknown[] = [];
const server = createServer();
const links = new WebSocketServer({ server });
const hello = { type: 'hello', protocol: PROTOCOL, run: 'r', seq: 0, port: 1, live: [], asks: [] };

beforeEach(async () => {
  worlds = await serveWorlds();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  links.on('connection', (socket, request) => {
    knocks.push(request.headers.authorization);
    socket.on('message', (data: Buffer) => heard.push(data.toString()));
    socket.on('error', () => undefined);
    socket.send(JSON.stringify(hello));
  });
  folder = newFolder();
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await worlds.close();
});

it('main tells its keys to no process that its folder names and that cannot read what main lays there', async () => {
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(folder, 'tap.json'), JSON.stringify({ pid: process.pid, port, secret: 's', run: 'r' }));

  const tapped = await openTap(worlds.url, {}, folder);
  const client = await connect(tapped.url);
  await client.reset();

  expect(tapped.url).toBe(`${tapped.tap.url}/t/${TOKEN}`);
  expect(new URL(tapped.url).port).not.toBe(String(port));
  expect(knocks).toHaveLength(1);
  expect(heard).toEqual([]);
  // What main laid there is gone, so that nobody knocks with it later.
  expect(readdirSync(folder).filter((name) => name.endsWith('.knock'))).toEqual([]);
  client.socket.close();
  await tapped.close();
});
