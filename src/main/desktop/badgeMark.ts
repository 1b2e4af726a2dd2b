// Shows the count of what waits on the app's icon: each system has a way of its own. Windows has only a small picture
// over the icon in the taskbar, which is drawn here.

export type BadgeMark =
  /** The launcher shows a number; it shows none for 0. */
  | { way: 'count'; count: number }
  | { way: 'dock'; text: string }
  /** Null takes the picture away. `description` is what a screen reader says of it. */
  | { way: 'overlay'; picture: BadgePicture | null; description: string };

/** Four bytes a pixel: blue, green, red, opacity. */
export type BadgePicture = { size: number; pixels: Uint8Array };

export function badgeMark(platform: string, count: number): BadgeMark {
  if (platform === 'darwin') return { way: 'dock', text: count === 0 ? '' : String(count) };
  if (platform !== 'win32') return { way: 'count', count };
  return count === 0
    ? { way: 'overlay', picture: null, description: '' }
    : { way: 'overlay', picture: drawCount(count), description: `${String(count)} waiting for you` };
}

/** Drawn at twice the size at which it is shown, for displays of 200 %. */
const SIZE = 32;
/** Three wide, five high. */
const GLYPHS: Readonly<Record<string, string>> = {
  '0': '111101101101111',
  '1': '010110010010111',
  '2': '111001111100111',
  '3': '111001111001111',
  '4': '101101111001001',
  '5': '111100111001111',
  '6': '111100111101111',
  '7': '111001010010010',
  '8': '111101111101111',
  '9': '111101111001111',
  '+': '000010111010000',
};
const [GLYPH_WIDTH, GLYPH_HEIGHT] = [3, 5];
/** White on red, of a contrast of 5.9 to 1. */
const [GROUND, INK] = [
  [0x1c, 0x1c, 0xc6],
  [0xff, 0xff, 0xff],
] as const;

/** A disc with the count in it: above 9 there is room for `9+` only. */
function drawCount(count: number): BadgePicture {
  const text = count > 9 ? '9+' : String(count);
  const scale = text.length === 1 ? 4 : 3;
  const width = (text.length * (GLYPH_WIDTH + 1) - 1) * scale;
  const [left, top] = [Math.round((SIZE - width) / 2), Math.round((SIZE - GLYPH_HEIGHT * scale) / 2)];
  const isInk = (x: number, y: number): boolean => {
    const [column, row] = [Math.floor((x - left) / scale), Math.floor((y - top) / scale)];
    if (column < 0 || row < 0 || row >= GLYPH_HEIGHT) return false;
    const [at, inGlyph] = [Math.floor(column / (GLYPH_WIDTH + 1)), column % (GLYPH_WIDTH + 1)];
    if (inGlyph === GLYPH_WIDTH) return false;
    return GLYPHS[text[at] ?? '']?.[row * GLYPH_WIDTH + inGlyph] === '1';
  };
  const pixels = new Uint8Array(SIZE * SIZE * 4);
  const middle = (SIZE - 1) / 2;
  for (let y = 0; y < SIZE; y += 1)
    for (let x = 0; x < SIZE; x += 1) {
      // The edge fades over one pixel.
      const opacity = Math.min(1, Math.max(0, SIZE / 2 - Math.hypot(x - middle, y - middle)));
      const colour = isInk(x, y) ? INK : GROUND;
      pixels.set(
        [...colour.map((part) => Math.round(part * opacity)), Math.round(opacity * 255)],
        (y * SIZE + x) * 4,
      );
    }
  return { size: SIZE, pixels };
}
