import { describe, expect, it } from 'vitest';
import { chordOf, createKeyboard, type Press } from '../../../src/renderer/state/keyboard.ts';
import { keyRows, type KeyGroup } from '../../../src/renderer/state/keys.ts';

/** Parts of the sheet whose keys are bound at the same time on some screen. */
const TOGETHER: readonly KeyGroup[] = ['everywhere', 'list', 'episode', 'answer', 'takeover'];

type Over = Partial<Omit<Press, 'place'>> & { place?: Partial<Press['place']> };

const press = (key: string, over: Over = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  ...over,
  place: { isEditable: false, isControl: false, isOverlayOpen: false, ...over.place },
});

function bound() {
  const did: string[] = [];
  let now = 0;
  const keyboard = createKeyboard(() => now);
  keyboard.bind('page', () => ({
    'palette.open': () => did.push('palette'),
    'desk.next': () => did.push('next'),
    'go.desk': () => did.push('go desk'),
  }));
  const unbind = keyboard.bind('page', () => ({
    approve: () => did.push('accept'),
    send: () => did.push('send'),
    open: () => did.push('open'),
    differences: () => did.push('diff'),
  }));
  return { keyboard, did, unbind, wait: (ms: number) => (now += ms) };
}

describe('a key', () => {
  it('rests while a person types, but Ctrl+Enter and Ctrl+K work there', () => {
    const { keyboard, did } = bound();
    const place = { isEditable: true };

    keyboard.press(press('a', { place }));
    keyboard.press(press('n', { place }));
    keyboard.press(press('Enter', { place, ctrlKey: true }));
    keyboard.press(press('k', { place, metaKey: true }));

    expect(did).toEqual(['send', 'palette']);
  });

  it('sends and declines nothing by a letter pressed beside a field of the plan; Ctrl+Enter still sends', () => {
    const { keyboard, did } = bound();
    keyboard.bind('page', () => ({
      decline: () => did.push('decline'),
      'desk.pass': () => did.push('pass'),
    }));
    const place = { isInPlan: true };

    for (const key of ['a', 'r', 'p', 'd']) keyboard.press(press(key, { place }));
    keyboard.press(press('Enter', { place, ctrlKey: true }));

    expect(did).toEqual(['diff', 'send']);
  });

  it('puts a message away with Esc before anything else is closed, also while a person types', () => {
    const did: string[] = [];
    const keyboard = createKeyboard(() => 0);
    keyboard.bind('page', () => ({ back: () => did.push('close') }));
    const unbind = keyboard.bind('message', () => ({ back: () => did.push('dismiss') }));

    keyboard.press(press('Escape', { place: { isEditable: true } }));
    keyboard.press(press('Escape'));
    unbind();
    keyboard.press(press('Escape', { place: { isEditable: true } }));
    keyboard.press(press('Escape'));

    expect(did).toEqual(['dismiss', 'dismiss', 'close']);
  });

  it('tells Space from Space with Shift, and leaves both to a button that has the focus', () => {
    const did: string[] = [];
    const keyboard = createKeyboard();
    keyboard.bind('page', () => ({
      pause: () => did.push('pause'),
      'live.pause_at_once': () => did.push('at once'),
    }));

    keyboard.press(press(' '));
    keyboard.press(press(' ', { shiftKey: true }));
    keyboard.press(press(' ', { shiftKey: true, place: { isControl: true } }));

    expect(did).toEqual(['pause', 'at once']);
  });

  it('rests under an overlay, except those of the overlay itself', () => {
    const { keyboard, did } = bound();
    keyboard.bind('overlay', () => ({ send: () => did.push('start') }));
    const place = { isOverlayOpen: true };

    keyboard.press(press('a', { place }));
    keyboard.press(press('k', { place, ctrlKey: true }));
    keyboard.press(press('Enter', { place, ctrlKey: true }));

    expect(did).toEqual(['start']);
  });

  it('leaves Enter and Space to the button that has the focus', () => {
    const { keyboard, did } = bound();

    keyboard.press(press('Enter', { place: { isControl: true } }));
    keyboard.press(press('Enter'));

    expect(did).toEqual(['open']);
  });

  it('held down does not decide twice, and still is not handed to the browser', () => {
    const { keyboard, did } = bound();

    keyboard.press(press('a'));
    const isTaken = keyboard.press(press('a', { repeat: true }));
    keyboard.press(press('n', { repeat: true }));

    expect(did).toEqual(['accept', 'next']);
    expect(isTaken).toBe(true);
  });

  it('may be two in a row, when the second comes soon', () => {
    const { keyboard, did, wait } = bound();

    keyboard.press(press('g'));
    keyboard.press(press('d'));
    keyboard.press(press('g'));
    wait(2000);
    keyboard.press(press('d'));

    expect(did).toEqual(['go desk', 'diff']);
  });
});

it('a chord is the sign on keyboards that need Shift or AltGr for it', () => {
  expect(chordOf(press('?', { shiftKey: true }))).toBe('?');
  expect(chordOf(press('[', { ctrlKey: true, altKey: true }))).toBe('[');
  expect(chordOf(press('K', { ctrlKey: true }))).toBe('mod+k');
  expect(chordOf(press('Enter', { shiftKey: true }))).toBe('shift+Enter');
  expect(chordOf(press(' '))).toBe('Space');
  expect(chordOf(press('Shift'))).toBeNull();
});

describe('the key table', () => {
  it('gives no chord two meanings within one part, nor against those that work everywhere', () => {
    const rows = keyRows();
    const clashes = rows.flatMap(({ id, row }) =>
      rows
        .filter((other) => other.id !== id && [row.group, 'everywhere'].includes(other.row.group))
        .filter((other) => other.row.chords.some((chord) => row.chords.includes(chord)))
        .map((other) => `${id} and ${other.id}`),
    );

    expect(clashes).toEqual([]);
  });

  it('shares a chord on one screen only between acts of which one is there at a time', () => {
    const rows = keyRows().filter(({ row }) => TOGETHER.includes(row.group));
    const shared = rows.flatMap(({ id, row }) =>
      rows
        .filter((other) => other.id > id && other.row.group !== row.group)
        .filter((other) => other.row.chords.some((chord) => row.chords.includes(chord)))
        .map((other) => `${id} ${other.id}`),
    );

    const ofOneAtATime = {
      'A list with a selection shows no episode and no card.':
        'approve list.assign, edit list.export, list.compare takeover.call, list.find_text takeover.final, ' +
        'list.review takeover.answer, list.tag take_over',
      'Each rests while the person makes a move.':
        'call.answer takeover.keep, desk.plan takeover.list, differences takeover.aside',
      'A replay and a review wait for no answer and no move.':
        'desk.plan right, desk.redraft left, next step, right takeover.list',
      'An episode that goes on has not drifted.': 'doubt.unknown live.resume_anyway',
    };
    const pairs = Object.values(ofOneAtATime).flatMap((one) => one.split(', '));
    expect(shared.toSorted()).toEqual(pairs.toSorted());
  });

  it('lets no sequence be cut short by a single key', () => {
    const rows = keyRows();
    const firsts = rows.flatMap(({ row }) =>
      row.chords.filter((c) => c.includes(' ')).map((c) => c.split(' ')[0]),
    );
    const cut = rows.filter(({ row }) => row.chords.some((chord) => firsts.includes(chord)));

    expect(cut).toEqual([]);
  });
});
