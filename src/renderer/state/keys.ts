// Every key of the console, one row each. The `?` sheet, the bindings and the hints on buttons all read it. A chord
// is `mod+k`, `shift+j`, `G`, `?`; `mod` is Ctrl, on a Mac Command. Two keys in a row are written `g g`. A verb has one
// key: what it does is said by what is on the screen.

import { PLACE_VIEWS, goKey, VIEWS, type PlaceKey } from './views.ts';

/** The parts of the sheet. */
export const KEY_GROUPS = {
  everywhere: 'Everywhere',
  list: 'Lists and steps',
  episode: 'Episodes',
  answer: 'Questions, calls and stops',
  takeover: 'Acting in the agent’s place',
  review: 'Reviewing',
  data: 'Data',
} as const;
export type KeyGroup = keyof typeof KEY_GROUPS;

type KeyBinding = {
  group: KeyGroup;
  label: string;
  /** The first is the one shown. */
  chords: readonly string[];
  /** Sends or ends something: a held key must not do it again. */
  isDecisive?: true;
  /** Does nothing while the focus is in the plan. */
  restsInPlan?: true;
};

/** The keys that open a view. */
const goKeys = Object.fromEntries(
  PLACE_VIEWS.map((view): [PlaceKey, KeyBinding] => {
    const { label, chord } = VIEWS[view].place;
    return [goKey(view), { group: 'everywhere', label, chords: [chord] }];
  }),
) as Record<PlaceKey, KeyBinding>;

export const KEY_BINDINGS = {
  'palette.open': { group: 'everywhere', label: 'Command palette', chords: ['mod+k'] },
  'keys.show': { group: 'everywhere', label: 'Show the keys', chords: ['?'] },
  send: { group: 'everywhere', label: 'Send, write or start', chords: ['mod+Enter'], isDecisive: true },
  back: { group: 'everywhere', label: 'Back: close, clear or cancel', chords: ['Escape'] },
  option: {
    group: 'everywhere',
    label: 'The option of that number; 0 turns to the next nine',
    chords: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'],
    isDecisive: true,
  },
  'desk.next': { group: 'everywhere', label: 'Next waiting question', chords: ['n'] },
  'desk.take_back': { group: 'everywhere', label: 'Undo send', chords: ['u'] },
  'episode.start': { group: 'everywhere', label: 'Start an episode', chords: ['s'] },
  ...goKeys,
  'pane.list': { group: 'everywhere', label: 'Show or hide the list', chords: ['['] },
  'pane.inspector': { group: 'everywhere', label: 'Show or hide the inspector', chords: [']'] },
  down: { group: 'list', label: 'Down', chords: ['j', 'ArrowDown'] },
  up: { group: 'list', label: 'Up', chords: ['k', 'ArrowUp'] },
  first: { group: 'list', label: 'First', chords: ['g g', 'Home'] },
  last: { group: 'list', label: 'Last, and follow live', chords: ['G', 'End'] },
  open: { group: 'list', label: 'Open or close', chords: ['Enter'] },
  find: { group: 'list', label: 'Find', chords: ['/'] },
  'list.find_text': { group: 'list', label: 'Search all text', chords: ['F'] },
  select: { group: 'list', label: 'Select or deselect', chords: ['x'] },
  'list.select_down': { group: 'list', label: 'Extend selection down', chords: ['shift+ArrowDown', 'J'] },
  'list.select_up': { group: 'list', label: 'Extend selection up', chords: ['shift+ArrowUp', 'K'] },
  'list.select_all': { group: 'list', label: 'Select all matches', chords: ['mod+a'] },
  'list.tag': { group: 'list', label: 'Tag selection', chords: ['t'] },
  'list.export': { group: 'list', label: 'Export selection', chords: ['e'] },
  'list.review': { group: 'list', label: 'Review selection', chords: ['q'] },
  'list.assign': { group: 'list', label: 'Assign selection', chords: ['a'] },
  'list.compare': { group: 'list', label: 'Compare the two selected', chords: ['c'] },
  view: { group: 'list', label: 'Switch the view: question or steps, sides, sample', chords: ['v'] },
  differences: { group: 'list', label: 'Show differences', chords: ['d'] },
  'timeline.expand': { group: 'list', label: 'Expand or collapse all steps', chords: ['z'] },
  'timeline.error': { group: 'list', label: 'Next error', chords: ['X'] },
  next: { group: 'list', label: 'Next turn, sample or difference', chords: ['.'] },
  previous: { group: 'list', label: 'Previous turn or sample', chords: [','] },
  right: { group: 'list', label: 'Next event or question', chords: ['ArrowRight', 'l'] },
  left: { group: 'list', label: 'Previous event or question', chords: ['ArrowLeft', 'h'] },
  pause: { group: 'episode', label: 'Pause, resume or play', chords: ['Space'], isDecisive: true },
  'live.pause_at_once': { group: 'episode', label: 'Pause now', chords: ['shift+Space'] },
  step: { group: 'episode', label: 'One step', chords: ['.'], isDecisive: true },
  'replay.next_advice': { group: 'episode', label: 'Next advice', chords: ['>'] },
  'replay.previous_advice': { group: 'episode', label: 'Previous advice', chords: ['<'] },
  fork: { group: 'episode', label: 'Fork here', chords: ['f'], isDecisive: true },
  take_over: { group: 'episode', label: 'Take over or hand back', chords: ['t'], isDecisive: true },
  override: { group: 'episode', label: 'Use another tool', chords: ['o'] },
  go_on: { group: 'episode', label: 'Go on with what stopped', chords: ['U'], isDecisive: true },
  'live.resume_anyway': { group: 'episode', label: 'Continue although the replay drifted', chords: ['D'] },
  'live.stop': { group: 'episode', label: 'Stop the episode', chords: ['Q'] },
  'live.again': { group: 'episode', label: 'Run the episode again', chords: ['R'] },
  'live.briefed': { group: 'episode', label: 'Run the episode again with a brief', chords: ['W'] },
  'live.next_task': { group: 'episode', label: 'Run the next task', chords: ['N'] },
  'live.note': { group: 'episode', label: 'Interject a note', chords: ['i'] },
  'live.breakpoint': { group: 'episode', label: 'Breakpoints and rules', chords: ['b'] },
  'replay.erase': { group: 'episode', label: 'Erase from the log', chords: ['E'] },
  approve: {
    group: 'answer',
    label: 'Accept the draft, approve the call',
    chords: ['a'],
    isDecisive: true,
    restsInPlan: true,
  },
  'call.approve_similar': {
    group: 'answer',
    label: 'Approve and allow similar calls',
    chords: ['A'],
    isDecisive: true,
  },
  edit: { group: 'answer', label: 'Edit', chords: ['e'] },
  decline: { group: 'answer', label: 'Decline or reject with a reason', chords: ['r'], restsInPlan: true },
  'call.answer': { group: 'answer', label: 'Write the result', chords: ['w'] },
  effect: { group: 'answer', label: 'Try it in a throw-away session', chords: ['y'] },
  'doubt.send_again': {
    group: 'answer',
    label: 'Send the call in doubt again',
    chords: ['S'],
    isDecisive: true,
  },
  'doubt.unknown': {
    group: 'answer',
    label: 'Do not send the call in doubt; tell the agent',
    chords: ['D'],
    isDecisive: true,
  },
  'desk.pass': {
    group: 'answer',
    label: 'Pass to another expert',
    chords: ['p'],
    isDecisive: true,
    restsInPlan: true,
  },
  'desk.redraft': { group: 'answer', label: 'Request another draft', chords: ['h'] },
  'desk.plan': { group: 'answer', label: 'Switch the plan between steps and text', chords: ['l'] },
  'desk.approve_chosen': { group: 'answer', label: 'Approve selected calls', chords: ['B'] },
  'takeover.call': { group: 'takeover', label: 'Call a tool', chords: ['c'] },
  'takeover.list': { group: 'takeover', label: 'List the tools', chords: ['l'] },
  'takeover.final': { group: 'takeover', label: 'Final answer', chords: ['F'] },
  'takeover.aside': { group: 'takeover', label: 'Set the open question or call aside', chords: ['d'] },
  'takeover.keep': { group: 'takeover', label: 'Keep the open question or call waiting', chords: ['w'] },
  'takeover.answer': {
    group: 'takeover',
    label: 'Switch between the open question and your move',
    chords: ['q'],
  },
  'annotate.correct': { group: 'review', label: 'What the agent should have done', chords: ['c'] },
  'annotate.mark': { group: 'review', label: 'Find words to mark', chords: ['m'] },
  'annotate.whole': { group: 'review', label: 'The whole episode, or back to the step', chords: ['w'] },
  'annotate.undo': { group: 'review', label: 'Undo', chords: ['z'] },
  'annotate.skip': { group: 'review', label: 'Skip this item', chords: ['S'], isDecisive: true },
  'annotate.postpone': { group: 'review', label: 'Later', chords: ['p'], isDecisive: true },
  'annotate.side': { group: 'review', label: 'The other side', chords: ['o'] },
  'data.format': { group: 'data', label: 'Choose the format', chords: ['f'] },
  'data.check': { group: 'data', label: 'Check again', chords: ['c'] },
} as const satisfies Record<string, KeyBinding>;
export type KeyId = keyof typeof KEY_BINDINGS;

/** The row of a key. */
export const keyRow = (id: KeyId): KeyBinding => KEY_BINDINGS[id];

/** True if it is pressed alone and stands for a sign: speech input and a slipped hand press it by mistake. */
const isPlain = (chord: string): boolean => chord.split(' ').every((key) => key.length === 1);

/** The chords that do it, the one to show first; without those that are pressed alone where the person turned them off. */
export const chordsOf = (id: KeyId, hasPlainKeys: boolean): readonly string[] =>
  hasPlainKeys ? keyRow(id).chords : keyRow(id).chords.filter((chord) => !isPlain(chord));

export const isKeyId = (name: string): name is KeyId => Object.hasOwn(KEY_BINDINGS, name);

/** The chord to show for a key's name, empty for none; anything else is a chord already. */
export const shownChord = (chordOrId: string, hasPlainKeys: boolean): string =>
  isKeyId(chordOrId)
    ? (chordsOf(chordOrId, hasPlainKeys)[0] ?? '')
    : hasPlainKeys || !isPlain(chordOrId)
      ? chordOrId
      : '';

/** Every key with its row, in the order of the sheet. */
export const keyRows = (): { id: KeyId; row: KeyBinding }[] =>
  (Object.keys(KEY_BINDINGS) as KeyId[]).map((id) => ({ id, row: KEY_BINDINGS[id] }));
