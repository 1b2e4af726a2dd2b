// A figure as a file that the browser saves: on white, so that it prints and embeds anywhere.
import type { Drawing } from '../../../figures/frame.ts';
import { toSvgText } from '../../../figures/scene.ts';

const FILE_WIDTH = 900;
const PIXELS = 2;

export const svgFileOf = (drawing: Drawing): Blob =>
  new Blob([toSvgText(drawing.draw({ width: FILE_WIDTH, theme: 'light' }).svg)], {
    type: 'image/svg+xml',
  });

/** Drawn by the browser, at twice its size. */
export async function pictureOf(drawing: Drawing): Promise<Blob> {
  const figure = drawing.draw({ width: FILE_WIDTH, theme: 'light' });
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(toSvgText(figure.svg))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = figure.width * PIXELS;
  canvas.height = figure.height * PIXELS;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((settle, refuse) => {
    canvas.toBlob(
      (blob) => (blob === null ? refuse(new Error('the browser made no picture')) : settle(blob)),
      'image/png',
    );
  });
}
