// A figure as PNG, without a browser. Letters need a font of the machine; where none is found there is no picture.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** Twice as many pixels as the figure has: for screens of today. */
const SCALE = 2;

const FOLDERS = [
  '/usr/share/fonts/truetype/liberation',
  '/usr/share/fonts/truetype/liberation2',
  '/usr/share/fonts/liberation-sans',
  '/usr/share/fonts/liberation',
  '/usr/share/fonts/truetype/dejavu',
  '/usr/share/fonts/dejavu',
  '/usr/share/fonts/TTF',
  '/System/Library/Fonts/Supplemental',
  'C:\\Windows\\Fonts',
];
/** A family, and its files for plain and bold letters. */
const FAMILIES = [
  { family: 'Liberation Sans', files: ['LiberationSans-Regular.ttf', 'LiberationSans-Bold.ttf'] },
  { family: 'Arial', files: ['Arial.ttf', 'Arial Bold.ttf'] },
  { family: 'Arial', files: ['arial.ttf', 'arialbd.ttf'] },
  { family: 'DejaVu Sans', files: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'] },
] as const;

type Rasterise = (svg: string) => Uint8Array;

let isReady: Promise<void> | null = null;

/** Null where this machine has none of the fonts that are looked for. */
export async function openRasteriser(folders: readonly string[] = FOLDERS): Promise<Rasterise | null> {
  const found = FAMILIES.flatMap(({ family, files }) =>
    folders.map((folder) => ({ family, paths: files.map((file) => join(folder, file)) })),
  ).find(({ paths }) => paths.every((path) => existsSync(path)));
  if (found === undefined) return null;
  const wasm = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
  isReady ??= initWasm(readFileSync(wasm));
  await isReady;
  const { family, paths } = found;
  const font = {
    fontBuffers: paths.map((path) => new Uint8Array(readFileSync(path))),
    loadSystemFonts: false,
    defaultFontFamily: family,
    sansSerifFamily: family,
  };
  return (svg) => {
    const drawing = new Resvg(svg, { fitTo: { mode: 'zoom', value: SCALE }, font });
    const image = drawing.render();
    const bytes = image.asPng();
    image.free();
    drawing.free();
    return bytes;
  };
}
