// The count of what waits, on the app's icon.
import { app as electron, nativeImage, type BrowserWindow } from 'electron';
import { badgeMark } from './badgeMark.ts';

/** Returns what shows a count; one that is shown already is not drawn again. */
export function openBadge(window: BrowserWindow): (count: number) => void {
  let shown: number | null = null;
  return (count) => {
    if (count === shown || window.isDestroyed()) return;
    shown = count;
    const mark = badgeMark(process.platform, count);
    if (mark.way === 'dock') electron.dock?.setBadge(mark.text);
    else if (mark.way === 'count') electron.setBadgeCount(mark.count);
    else {
      const { picture, description } = mark;
      const image =
        picture === null
          ? null
          : nativeImage.createFromBitmap(Buffer.from(picture.pixels), {
              width: picture.size,
              height: picture.size,
              scaleFactor: 2,
            });
      window.setOverlayIcon(image, description);
    }
  };
}
