// Where the program of the tap's own process lies: beside the built hosts, or beside this file when run from source.
import { join, sep } from 'node:path';
import { productFolder } from './paths.ts';

/** The entry to start the tap's process with. */
export const tapEntry = (here: string = import.meta.dirname): string =>
  here.includes(`${sep}out${sep}`) ? join(productFolder(), 'out', 'main', 'tap.js') : join(here, 'tap.ts');
