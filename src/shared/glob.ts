// The small patterns people write in rules and breakpoints.

/** True if a name fits a glob: `*` stands for anything, everything else for itself. Case counts. */
export function fitsGlob(glob: string, name: string): boolean {
  const [first = '', ...others] = glob.split('*');
  const last = others.pop();
  if (last === undefined) return name === glob;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
    return false;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** True if a call's arguments hold a text somewhere in their compact JSON; null asks for nothing. */
export const holdsArgument = (args: object, text: string | null): boolean =>
  text === null || text === '' || JSON.stringify(args).includes(text);
