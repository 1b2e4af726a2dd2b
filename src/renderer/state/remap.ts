// The keys a person chose instead of the table's: which act now, what a new one collides with, what no page may take.
// Pure; where they are kept and edited is elsewhere.
import { z } from 'zod';
import { KEY_BINDINGS, keyRow, keyRows, type KeyId, type KeyScope } from './keys.ts';

/** One chord for each changed key; an empty one takes the key away. Names of keys that are gone are ignored. */
export const KeyChanges = z.record(z.string(), z.string());
export type KeyChanges = Readonly<z.infer<typeof KeyChanges>>;

/** Scopes that are bound at the same time on some screen. `everywhere` is with all of them but overlays. */
export const TOGETHER: readonly (readonly KeyScope[])[] = [
  ['live', 'timeline', 'call', 'takeover', 'label', 'desk'],
  ['replay', 'timeline', 'live'],
  ['list'],
  ['list', 'begin'],
  ['wall'],
  ['start'],
];

/** The chords that do it now, the one to show first. */
export function chordsOf(id: KeyId, changes: KeyChanges): readonly string[] {
  const changed = changes[id];
  if (changed === undefined) return keyRow(id).chords;
  return changed === '' ? [] : [changed];
}

const isKeyId = (name: string): name is KeyId => Object.hasOwn(KEY_BINDINGS, name);

/** The chord to show for a key's name; anything else is a chord already. */
export const shownChord = (chordOrId: string, changes: KeyChanges): string =>
  isKeyId(chordOrId) ? (chordsOf(chordOrId, changes)[0] ?? '') : chordOrId;

/** Keys that `chord` would be taken from, or that would take it, if it became the key of `id`. */
export function keyConflicts(id: KeyId, chord: string, changes: KeyChanges): KeyId[] {
  const { scope } = keyRow(id);
  return keyRows()
    .filter(({ id: other, row }) => other !== id && areTogether(scope, row.scope))
    .filter(({ id: other }) => chordsOf(other, changes).some((taken) => clash(chord, taken)))
    .filter(({ id: other }) => !shareByDefault(id, other, chord))
    .map(({ id: other }) => other);
}

const areTogether = (a: KeyScope, b: KeyScope): boolean => {
  if (a === b) return true;
  if (a === 'start' || b === 'start') return false;
  return (
    a === 'everywhere' || b === 'everywhere' || TOGETHER.some((set) => set.includes(a) && set.includes(b))
  );
};

/** The same, or one is how the other begins: `g` would never let `g d` happen. */
const clash = (a: string, b: string): boolean => a === b || a.startsWith(`${b} `) || b.startsWith(`${a} `);

/** The table lets some keys share a chord, because the card in front comes first. */
const shareByDefault = (a: KeyId, b: KeyId, chord: string): boolean =>
  keyRow(a).chords.includes(chord) && keyRow(b).chords.some((other) => clash(chord, other));

/** Chords that never reach a page, or that a page must not take. */
const TAKEN =
  /^(mod\+(w|t|n|q|shift\+(w|t|n|q))|(shift\+)?Tab|mod\+(shift\+)?Tab|F11|F12|F5|mod\+(shift\+)?r)$/;

/** Why a chord may not become a key; null when it may. */
export function refusal(chord: string): string | null {
  const parts = chord.split(' ');
  if (parts.some((part) => TAKEN.test(part))) return 'The browser reserves this key.';
  if (parts.some((part) => /^(shift\+)?Escape$/.test(part))) return 'Esc always closes what is open.';
  if (parts.length > 1 && parts.some((part) => part.startsWith('mod+')))
    return 'Two-key sequences use plain keys.';
  return null;
}

/** The changes with one more; a key's own default is no change. */
export function withKey(changes: KeyChanges, id: KeyId, chord: string | null): KeyChanges {
  const { [id]: _old, ...rest } = changes;
  const [first] = keyRow(id).chords;
  return chord === null || (chord === first && keyRow(id).chords.length === 1)
    ? rest
    : { ...rest, [id]: chord };
}
