// Finds the binding of a key press. Keys stand down where a person types, and under an overlay.
import { isKeyId, keyRow, type KeyId } from './keys.ts';

/** The act of each key; of a row with several keys, by which of them. */
export type Bindings = Partial<Record<KeyId, (chord: string) => void>>;
/** An overlay's keys act while it is open, when everything else stands down; Esc puts a message away also from a field. */
export type KeyLayer = 'page' | 'message' | 'overlay';
/** The part of a KeyboardEvent in use; `place` says where it happened. */
export type Press = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  repeat: boolean;
  place: {
    isEditable: boolean;
    isControl: boolean;
    isOverlayOpen: boolean;
    /** In a plan that is being changed, beside its fields. */
    isInPlan?: boolean;
  };
};
/** The keys 1 to 9, for what is listed in that order. */
export const optionKeys = (acts: readonly (() => void)[]): Bindings =>
  acts.length === 0 ? {} : { option: (chord) => acts[Number(chord) - 1]?.() };
export type Keyboard = {
  /** Binds until the returned function is called. The layer bound last is asked first. */
  bind: (kind: KeyLayer, read: () => Bindings) => () => void;
  /** Runs what the press is for; true when there was something. */
  press: (press: Press) => boolean;
  /** The keys that do something now, for the `?` sheet. */
  bound: () => ReadonlySet<KeyId>;
  /** Does what the key would do now; false when nothing is bound to it any more. */
  run: (id: KeyId) => boolean;
};

const SEQUENCE_MS = 900;

/** The chord a press makes; null for a modifier alone. */
export function chordOf(
  press: Pick<Press, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): string | null {
  if (['Shift', 'Control', 'Meta', 'Alt', 'AltGraph', 'Dead', 'Unidentified'].includes(press.key))
    return null;
  // AltGr, which some layouts need for signs, arrives as Ctrl and Alt together.
  const isAltGr = press.ctrlKey && press.altKey;
  const isMod = (press.ctrlKey && !isAltGr) || press.metaKey;
  // A letter or sign already says that Shift was held; a named key does not, and neither does Space.
  const isNamed = press.key.length > 1 || press.key === ' ';
  const key = press.key === ' ' ? 'Space' : isMod && !isNamed ? press.key.toLowerCase() : press.key;
  const shift = press.shiftKey && (isNamed || isMod) ? 'shift+' : '';
  return `${isMod ? 'mod+' : ''}${press.altKey && !isAltGr && !isMod ? 'alt+' : ''}${shift}${key}`;
}

/** True if a chord may act at that place at all. */
function mayAct(chord: string, place: Press['place'], kind: KeyLayer): boolean {
  if (place.isOverlayOpen && kind !== 'overlay') return false;
  const isMod = chord.startsWith('mod+');
  // A message may lie over the form one writes in.
  const isAway = kind === 'message' && chord === 'Escape';
  if (place.isEditable && !isMod && !isAway) return false;
  return !(place.isControl && /^(shift\+)?(Enter|Space)$/.test(chord));
}

/** A letter that decides does nothing beside a field one has just left: it was meant for the field. */
const restsAt = (id: KeyId, chord: string, { isInPlan = false }: Press['place']): boolean =>
  isInPlan && keyRow(id).restsInPlan === true && !chord.startsWith('mod+');

/** `chordsOf` says which chords a key has now. */
export function createKeyboard(
  now: () => number = Date.now,
  chordsOf: (id: KeyId) => readonly string[] = (id) => keyRow(id).chords,
): Keyboard {
  const layers: { kind: KeyLayer; read: () => Bindings }[] = [];
  let pending: { chord: string; at: number } | null = null;

  const find = (chord: string, press: Press): { id: KeyId; run: () => void } | null => {
    for (const { kind, read } of layers.toReversed()) {
      if (!mayAct(chord, press.place, kind)) continue;
      for (const [id, run] of Object.entries(read()))
        if (isKeyId(id) && chordsOf(id).includes(chord) && !restsAt(id, chord, press.place))
          return { id, run: () => run(chord) };
    }
    return null;
  };
  const startsSequence = (chord: string): boolean =>
    layers.some(({ read }) =>
      (Object.keys(read()) as KeyId[]).some((id) =>
        chordsOf(id).some((known) => known.startsWith(`${chord} `)),
      ),
    );

  return {
    bind(kind, read) {
      const layer = { kind, read };
      layers.push(layer);
      return () => void layers.splice(layers.indexOf(layer), 1);
    },
    press(press) {
      const chord = chordOf(press);
      if (chord === null) return false;
      const before = pending !== null && now() - pending.at <= SEQUENCE_MS ? pending.chord : null;
      pending = null;
      const found = (before === null ? null : find(`${before} ${chord}`, press)) ?? find(chord, press);
      if (found === null) {
        if (!press.place.isEditable && startsSequence(chord)) pending = { chord, at: now() };
        return false;
      }
      if (!(press.repeat && keyRow(found.id).isDecisive === true)) found.run();
      return true;
    },
    bound: () => new Set(layers.flatMap(({ read }) => Object.keys(read()) as KeyId[])),
    run(id) {
      const act = layers.toReversed().flatMap(({ read }) => read()[id] ?? [])[0];
      act?.(keyRow(id).chords[0] ?? '');
      return act !== undefined;
    },
  };
}
