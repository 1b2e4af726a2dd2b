// Whether a number that was written is sent as it was written. What would be sent as another one is not sent. Pure.

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** A string of JSON, to the end of the text where it is not closed, or a number of it. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** False for `9007199254740993`, which a computer's number cannot hold and would turn into another. */
export function isExact(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && canonicalNumber(text) === canonicalNumber(String(value));
}

/** The first number in a JSON text that would be sent as another one; null when there is none. */
export const inexactIn = (json: string): string | null =>
  (json.match(TOKEN) ?? []).find((token) => !token.startsWith('"') && !isExact(token)) ?? null;

export const inexactText = (number: string): string =>
  `${number} has more digits than can be sent exactly; where the tool takes text, write it in quotes`;

/** Sign, digits and the power of ten of the last one: `1.50` and `15e-1` are the same. */
function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', part = '', power = '0'] = NUMBER.exec(text.trim()) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  const kept = digits.replace(/(?<!0)0+$/, '');
  const last = Number(power) - part.length + (digits.length - kept.length);
  return kept === '' ? '0' : `${sign === '-' ? '-' : ''}${kept}e${String(last)}`;
}
