// Folders of the desktop app: the product's data where the command line keeps it too, Chromium's own files apart.
import { join } from 'node:path';

/** Chromium's own files of the console's window: what the page remembers, and caches. Each data folder has its own. */
export const windowFolder = (dataFolder: string): string => join(dataFolder, 'window');

/** File of the window's place on the screens. */
export const placeFile = (dataFolder: string): string => join(windowFolder(dataFolder), 'place.json');
