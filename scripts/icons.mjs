// @ts-check
// Draws the app's icons from the console's own, once: `node scripts/icons.mjs`. What it writes is committed: the pictures
// the app shows itself in resources/icons, those a system's package wants in packaging/icons.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { root } from './setup.mjs';

/** File and width in pixels. */
const SHOWN = /** @type {const} */ ([
  ['icon.png', 1024],
  ['tray.png', 22],
  ['tray@2x.png', 44],
]);
const LINUX = [16, 32, 48, 64, 128, 256, 512];
const WINDOWS = [16, 24, 32, 48, 64, 128, 256];
/** Apple's name of each size; those with an @2x are what a dense screen shows at half the width. */
const MAC = /** @type {const} */ ([
  ['icp4', 16],
  ['ic11', 32],
  ['icp5', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
]);

/** @typedef {(width: number) => Uint8Array} Draw */

/** A Windows icon: a table of pictures, then the pictures as PNG. @param {Draw} draw */
function ico(draw) {
  const pictures = WINDOWS.map(draw);
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  pictures.forEach((picture, index) => {
    const at = 6 + 16 * index;
    // 256 is written as 0.
    head.writeUInt8((WINDOWS[index] ?? 0) % 256, at);
    head.writeUInt8((WINDOWS[index] ?? 0) % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(picture.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += picture.length;
  });
  return Buffer.concat([head, ...pictures]);
}

/** @param {string} name @param {Uint8Array} body */
function icnsBlock(name, body) {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32BE(8 + body.length, 4);
  return Buffer.concat([head, body]);
}

/** A Mac icon: named blocks, each a PNG. @param {Draw} draw */
const icns = (draw) =>
  icnsBlock('icns', Buffer.concat(MAC.map(([name, width]) => icnsBlock(name, draw(width)))));

await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
const svg = readFileSync(join(root, 'src/renderer/public/icon.svg'), 'utf8');
/** @type {Draw} */
const draw = (width) => new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng();

const shown = join(root, 'resources', 'icons');
const packaged = join(root, 'packaging', 'icons');
for (const folder of [shown, join(packaged, 'linux')]) mkdirSync(folder, { recursive: true });
for (const [name, width] of SHOWN) writeFileSync(join(shown, name), draw(width));
for (const width of LINUX) writeFileSync(join(packaged, 'linux', `${width}x${width}.png`), draw(width));
writeFileSync(join(packaged, 'icon.ico'), ico(draw));
writeFileSync(join(packaged, 'icon.icns'), icns(draw));
