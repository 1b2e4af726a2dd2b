// Joining class names. A variant without a style of its own has no class and is left out.

/** The names that are there, joined by a space. */
export const cx = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter((name) => typeof name === 'string' && name !== '').join(' ');

/** The class a CSS module has for a variant, as `Badge` has one for most tones. */
export const variantClass = (styles: object, variant: string): string | undefined => {
  const name: unknown = Reflect.get(styles, variant);
  return typeof name === 'string' ? name : undefined;
};
