// The small patterns people write in rules and breakpoints.

/** Whether a name fits a glob: `*` stands for anything, everything else for itself. Case counts. */
export function fitsGlob(glob: string, name: string): boolean {
  const parts = glob.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name);
}

/** Whether a call's arguments hold a text somewhere in their compact JSON; null asks for nothing. */
export const holdsArgument = (args: object, text: string | null): boolean =>
  text === null || text === '' || JSON.stringify(args).includes(text);
