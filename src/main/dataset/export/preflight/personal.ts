// Warns of what may be personal data. The built-in worlds are full of invented people, so this never refuses.
import type { RowCheck, SeenRow } from './seenRow.ts';

/** Names that are reserved for examples belong to nobody. */
const EXAMPLES = /(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid|localhost)$/i;
const ADDRESS = /(?<=[A-Za-z0-9._%+-])@([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+)/g;

export function holdsEmail(text: string): boolean {
  if (!text.includes('@')) return false;
  for (const [, domain = ''] of text.matchAll(ADDRESS)) if (!EXAMPLES.test(domain)) return true;
  return false;
}

/** Digits with what stands between them in numbers people write; most are none of these, so each is looked at closely. */
const NUMBERS = /(?<![\w.+-])\+?\(?\d(?:[ ().-]{0,2}\d){8,18}(?![\w-])/g;
const ABROAD = /^\+\d[\d ().-]+$/;
/** A measurement: nobody writes a card number with one point in it. */
const DECIMAL = /^\d+\.\d+$/;
const NORTH_AMERICAN = /^(?:1[ .-])?\(?[2-9]\d\d(?:\) ?|[ .-])[2-9]\d\d[ .-]\d{4}$/;
const SOCIAL_SECURITY = /^(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}$/;

type NumberKind = 'phone' | 'card' | 'id' | null;

/** What a run of digits is taken for. */
export function kindOfNumber(found: string): NumberKind {
  const digits = found.replace(/\D/g, '');
  if (SOCIAL_SECURITY.test(found)) return 'id';
  if (ABROAD.test(found)) return digits.length <= 15 ? 'phone' : null;
  if (NORTH_AMERICAN.test(found)) return 'phone';
  return !DECIMAL.test(found) && isCard(digits) ? 'card' : null;
}

/** Lengths and first digits that are issued, and the check digit (Luhn). */
function isCard(digits: string): boolean {
  if (!/^(?:3[47]\d{13}|(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6\d{3}|3\d{3})\d{12}(?:\d{3})?)$/.test(digits))
    return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const IBAN = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?![A-Z0-9])/g;

/** An account number whose check digits are right. */
export function holdsIban(text: string): boolean {
  for (const [found] of text.matchAll(IBAN)) {
    const plain = found.replaceAll(' ', '');
    const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
      String(letter.charCodeAt(0) - 55),
    );
    let rest = 0;
    for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
    if (rest === 1 && plain.length <= 34) return true;
  }
  return false;
}

const kindsBySeen = new WeakMap<SeenRow, ReadonlySet<NumberKind>>();

/** Whether a row holds a number of a kind. Its numbers are read once for all kinds. */
function holdsNumber(seen: SeenRow, kind: Exclude<NumberKind, null>): boolean {
  let kinds = kindsBySeen.get(seen);
  if (kinds === undefined) {
    kinds = new Set([...seen.text.matchAll(NUMBERS)].map(([found]) => kindOfNumber(found)));
    kindsBySeen.set(seen, kinds);
  }
  return kinds.has(kind);
}

export function holdsPersonal(text: string): boolean {
  if (holdsEmail(text) || holdsIban(text)) return true;
  for (const [found] of text.matchAll(NUMBERS)) if (kindOfNumber(found) !== null) return true;
  return false;
}

export const personalChecks: readonly RowCheck[] = [
  {
    check: 'email_addresses',
    level: 'warning',
    says: 'hold an e-mail address (those of example domains are not counted)',
    finds: ({ text }) => holdsEmail(text),
  },
  {
    check: 'phone_numbers',
    level: 'warning',
    says: 'hold what looks like a telephone number',
    finds: (seen) => holdsNumber(seen, 'phone'),
  },
  {
    check: 'card_numbers',
    level: 'warning',
    says: 'hold a number that is a valid payment card’s, or an IBAN',
    finds: (seen) => holdsNumber(seen, 'card') || holdsIban(seen.text),
  },
  {
    check: 'national_ids',
    level: 'warning',
    says: 'hold what looks like a social security number',
    finds: (seen) => holdsNumber(seen, 'id'),
  },
];
