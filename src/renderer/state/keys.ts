// Every key of the console, one row each. The `?` sheet, the bindings and the hints on buttons all read it. A chord
// is `mod+k`, `shift+j`, `G`, `?`; `mod` is Ctrl, on a Mac Command. Two keys in a row are written `g g`.

import { PLACE_VIEWS, goKey, VIEWS, type PlaceKey } from './views.ts';

export const SCOPES = {
  everywhere: { label: 'Everywhere', isOverlay: false },
  list: { label: 'Lists', isOverlay: false },
  live: { label: 'A running episode', isOverlay: false },
  desk: { label: 'Desk', isOverlay: false },
  call: { label: 'A held call or a stopped episode', isOverlay: false },
  takeover: { label: 'Acting in the agent’s place', isOverlay: false },
  label: { label: 'Labelling turns', isOverlay: false },
  timeline: { label: 'Timeline', isOverlay: false },
  replay: { label: 'A recorded episode', isOverlay: false },
  compare: { label: 'Two episodes compared', isOverlay: false },
  annotate: { label: 'Reviewing', isOverlay: false },
  data: { label: 'Data', isOverlay: false },
  begin: { label: 'While there is no episode', isOverlay: false },
  message: { label: 'While a message is shown', isOverlay: false },
  /** Acts while its dialog is open, when everything else stands down. */
  start: { label: 'Start an episode', isOverlay: true },
} as const;
export type KeyScope = keyof typeof SCOPES;

type KeyBinding = {
  scope: KeyScope;
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
    return [goKey(view), { scope: 'everywhere', label, chords: [chord] }];
  }),
) as Record<PlaceKey, KeyBinding>;

export const KEY_BINDINGS = {
  'palette.open': { scope: 'everywhere', label: 'Command palette', chords: ['mod+k'] },
  'keys.show': { scope: 'everywhere', label: 'Show the keys', chords: ['?'] },
  'message.dismiss': { scope: 'message', label: 'Dismiss the latest message', chords: ['Escape'] },
  'desk.next': { scope: 'everywhere', label: 'Next waiting question', chords: ['n'] },
  'desk.take_back': { scope: 'everywhere', label: 'Undo send', chords: ['u'] },
  'episode.start': { scope: 'everywhere', label: 'Start an episode', chords: ['s'] },
  ...goKeys,
  'pane.list': { scope: 'everywhere', label: 'Show or hide the list', chords: ['['] },
  'pane.inspector': { scope: 'everywhere', label: 'Show or hide the inspector', chords: [']'] },
  'list.down': { scope: 'list', label: 'Down', chords: ['j', 'ArrowDown'] },
  'list.up': { scope: 'list', label: 'Up', chords: ['k', 'ArrowUp'] },
  'list.first': { scope: 'list', label: 'First', chords: ['g g', 'Home'] },
  'list.last': { scope: 'list', label: 'Last', chords: ['G', 'End'] },
  'list.open': { scope: 'list', label: 'Open', chords: ['Enter'] },
  'list.find': { scope: 'list', label: 'Find', chords: ['/'] },
  'list.find_text': { scope: 'list', label: 'Search all text', chords: ['F'] },
  'list.select': { scope: 'list', label: 'Select or deselect', chords: ['x'] },
  'list.select_down': { scope: 'list', label: 'Extend selection down', chords: ['shift+ArrowDown', 'J'] },
  'list.select_up': { scope: 'list', label: 'Extend selection up', chords: ['shift+ArrowUp', 'K'] },
  'list.select_all': { scope: 'list', label: 'Select all matches', chords: ['mod+a'] },
  'list.select_none': { scope: 'list', label: 'Clear selection', chords: ['Escape'] },
  'list.tag': { scope: 'list', label: 'Tag selection', chords: ['t'] },
  'list.export': { scope: 'list', label: 'Export selection', chords: ['e'] },
  'list.review': { scope: 'list', label: 'Review selection', chords: ['q'] },
  'list.assign': { scope: 'list', label: 'Assign selection', chords: ['a'] },
  'list.compare': { scope: 'list', label: 'Compare the two selected', chords: ['c'] },
  'live.stop': { scope: 'live', label: 'Stop the episode', chords: ['Q'] },
  'live.again': { scope: 'live', label: 'Run the episode again', chords: ['R'] },
  'live.briefed': { scope: 'live', label: 'Run the episode again with a brief', chords: ['W'] },
  'live.next_task': { scope: 'live', label: 'Run the next task', chords: ['N'] },
  'live.resume': { scope: 'live', label: 'Continue an episode that broke off', chords: ['U'] },
  'live.resume_anyway': { scope: 'live', label: 'Continue although the replay drifted', chords: ['D'] },
  'live.pause': { scope: 'live', label: 'Pause or resume', chords: ['Space'] },
  'live.pause_at_once': { scope: 'live', label: 'Pause now', chords: ['shift+Space'] },
  'live.step': { scope: 'live', label: 'One step', chords: ['.'] },
  'live.take_over': { scope: 'live', label: 'Take over or hand back', chords: ['t'] },
  'live.note': { scope: 'live', label: 'Interject a note', chords: ['i'] },
  'live.breakpoint': { scope: 'live', label: 'Breakpoints and rules', chords: ['b'] },
  'live.override': { scope: 'live', label: 'Override the proposed call', chords: ['o'] },
  'live.sheet': { scope: 'live', label: 'Show the question, or what is beside the steps', chords: ['v'] },
  'note.send': { scope: 'live', label: 'Send the note', chords: ['mod+Enter'], isDecisive: true },
  'call.approve': { scope: 'call', label: 'Approve', chords: ['a'], isDecisive: true },
  'call.approve_similar': {
    scope: 'call',
    label: 'Approve and allow similar calls',
    chords: ['A'],
    isDecisive: true,
  },
  'call.edit': { scope: 'call', label: 'Edit the arguments', chords: ['e'] },
  'call.override': { scope: 'call', label: 'Use another tool', chords: ['o'] },
  'call.answer': { scope: 'call', label: 'Write the result', chords: ['w'] },
  'call.reject': { scope: 'call', label: 'Reject with a reason', chords: ['r'] },
  'call.effect': { scope: 'call', label: 'Try the call in a throw-away session', chords: ['y'] },
  'call.send': { scope: 'call', label: 'Send', chords: ['mod+Enter'], isDecisive: true },
  'call.back': { scope: 'call', label: 'Back to the actions', chords: ['Escape'] },
  'stop.resume': { scope: 'call', label: 'Resume the stopped episode', chords: ['Space'], isDecisive: true },
  'stop.step': { scope: 'call', label: 'One step of the stopped episode', chords: ['.'], isDecisive: true },
  'stop.take_over': {
    scope: 'call',
    label: 'Take over the stopped episode',
    chords: ['t'],
    isDecisive: true,
  },
  'doubt.send_again': {
    scope: 'call',
    label: 'Send the call in doubt again',
    chords: ['S'],
    isDecisive: true,
  },
  'doubt.unknown': {
    scope: 'call',
    label: 'Do not send the call in doubt; tell the agent',
    chords: ['D'],
    isDecisive: true,
  },
  'takeover.send': { scope: 'takeover', label: 'Make this move', chords: ['mod+Enter'], isDecisive: true },
  'takeover.call': { scope: 'takeover', label: 'Call a tool', chords: ['c'] },
  'takeover.list': { scope: 'takeover', label: 'List the tools', chords: ['l'] },
  'takeover.final': { scope: 'takeover', label: 'Final answer', chords: ['F'] },
  'takeover.aside': { scope: 'takeover', label: 'Set the open question or call aside', chords: ['d'] },
  'takeover.keep': { scope: 'takeover', label: 'Keep the open question or call waiting', chords: ['w'] },
  'takeover.answer': {
    scope: 'takeover',
    label: 'Switch between the open question and your move',
    chords: ['q'],
  },
  'label.agree': { scope: 'label', label: 'The same move', chords: ['1'], isDecisive: true },
  'label.differ': { scope: 'label', label: 'A different move', chords: ['2'] },
  'label.skip': { scope: 'label', label: 'Skip the turn', chords: ['3'] },
  'label.send': { scope: 'label', label: 'Give the label', chords: ['mod+Enter'], isDecisive: true },
  'desk.accept': {
    scope: 'desk',
    label: 'Accept the draft',
    chords: ['a'],
    isDecisive: true,
    restsInPlan: true,
  },
  'desk.edit': { scope: 'desk', label: 'Edit', chords: ['e'] },
  'desk.send': { scope: 'desk', label: 'Send advice', chords: ['mod+Enter'], isDecisive: true },
  'desk.decline': {
    scope: 'desk',
    label: 'Decline with a reason',
    chords: ['r'],
    restsInPlan: true,
  },
  'desk.pass': {
    scope: 'desk',
    label: 'Pass to another expert',
    chords: ['p'],
    isDecisive: true,
    restsInPlan: true,
  },
  'desk.redraft': { scope: 'desk', label: 'Request another draft', chords: ['h'] },
  'desk.plan': { scope: 'desk', label: 'Switch the plan between steps and text', chords: ['l'] },
  'desk.select': { scope: 'desk', label: 'Select the held call for batch approval', chords: ['x'] },
  'desk.approve_chosen': { scope: 'desk', label: 'Approve selected calls', chords: ['B'] },
  'desk.go_on': {
    scope: 'desk',
    label: 'Go on with the stopped episodes',
    chords: ['U'],
    isDecisive: true,
  },
  'desk.effect': { scope: 'desk', label: 'Try the plan in a throw-away session', chords: ['y'] },
  'desk.diff': { scope: 'desk', label: 'Show your changes', chords: ['d'] },
  'desk.open': { scope: 'desk', label: 'Open the episode', chords: ['Enter'] },
  'desk.close': { scope: 'desk', label: 'Close the episode', chords: ['Escape'] },
  'timeline.down': { scope: 'timeline', label: 'Next step', chords: ['j', 'ArrowDown'] },
  'timeline.up': { scope: 'timeline', label: 'Previous step', chords: ['k', 'ArrowUp'] },
  'timeline.first': { scope: 'timeline', label: 'First step', chords: ['g g', 'Home'] },
  'timeline.last': { scope: 'timeline', label: 'Last step, and follow live', chords: ['G', 'End'] },
  'timeline.toggle': { scope: 'timeline', label: 'Expand or collapse the step', chords: ['Enter'] },
  'timeline.find': { scope: 'timeline', label: 'Find', chords: ['/'] },
  'timeline.expand': { scope: 'timeline', label: 'Expand or collapse all steps', chords: ['z'] },
  'timeline.error': { scope: 'timeline', label: 'Next error', chords: ['X'] },
  'timeline.fork': { scope: 'timeline', label: 'Fork after this step', chords: ['f'], isDecisive: true },
  'replay.play': { scope: 'replay', label: 'Play or pause', chords: ['Space'] },
  'replay.next_turn': { scope: 'replay', label: 'Next turn', chords: ['.'] },
  'replay.previous_turn': { scope: 'replay', label: 'Previous turn', chords: [','] },
  'replay.next_event': { scope: 'replay', label: 'Next event', chords: ['ArrowRight'] },
  'replay.previous_event': { scope: 'replay', label: 'Previous event', chords: ['ArrowLeft'] },
  'replay.next_call': { scope: 'replay', label: 'Next call', chords: ['c'] },
  'replay.previous_call': { scope: 'replay', label: 'Previous call', chords: ['C'] },
  'replay.next_advice': { scope: 'replay', label: 'Next advice', chords: ['>'] },
  'replay.previous_advice': { scope: 'replay', label: 'Previous advice', chords: ['<'] },
  'replay.erase': { scope: 'replay', label: 'Erase from the log', chords: ['E'] },
  'replay.fork': { scope: 'replay', label: 'Fork here', chords: ['f'], isDecisive: true },
  'compare.next': { scope: 'compare', label: 'Next step that differs', chords: ['x'] },
  'compare.different': { scope: 'compare', label: 'Show differences or all steps', chords: ['d'] },
  'compare.swap': { scope: 'compare', label: 'Swap the sides', chords: ['v'] },
  'annotate.option_1': { scope: 'annotate', label: 'Option 1', chords: ['1'] },
  'annotate.option_2': { scope: 'annotate', label: 'Option 2', chords: ['2'] },
  'annotate.option_3': { scope: 'annotate', label: 'Option 3', chords: ['3'] },
  'annotate.option_4': { scope: 'annotate', label: 'Option 4', chords: ['4'] },
  'annotate.option_5': { scope: 'annotate', label: 'Option 5', chords: ['5'] },
  'annotate.option_6': { scope: 'annotate', label: 'Option 6', chords: ['6'] },
  'annotate.option_7': { scope: 'annotate', label: 'Option 7', chords: ['7'] },
  'annotate.option_8': { scope: 'annotate', label: 'Option 8', chords: ['8'] },
  'annotate.option_9': { scope: 'annotate', label: 'Option 9', chords: ['9'] },
  'annotate.more': { scope: 'annotate', label: 'The next nine options', chords: ['0'] },
  'annotate.field_next': { scope: 'annotate', label: 'Next question', chords: ['ArrowRight', 'l'] },
  'annotate.field_previous': { scope: 'annotate', label: 'Previous question', chords: ['ArrowLeft', 'h'] },
  'annotate.write': { scope: 'annotate', label: 'Write in the text', chords: ['e'] },
  'annotate.correct': { scope: 'annotate', label: 'What the agent should have done', chords: ['c'] },
  'annotate.mark': { scope: 'annotate', label: 'Find words to mark', chords: ['m'] },
  'annotate.whole': { scope: 'annotate', label: 'The whole episode, or back to the step', chords: ['w'] },
  'annotate.undo': { scope: 'annotate', label: 'Undo', chords: ['z'] },
  'annotate.done': {
    scope: 'annotate',
    label: 'Done, next item',
    chords: ['mod+Enter'],
    isDecisive: true,
  },
  'annotate.skip': { scope: 'annotate', label: 'Skip this item', chords: ['S'], isDecisive: true },
  'annotate.postpone': { scope: 'annotate', label: 'Later', chords: ['p'], isDecisive: true },
  'annotate.side': { scope: 'annotate', label: 'The other side', chords: ['o'] },
  'data.format': { scope: 'data', label: 'Choose the format', chords: ['f'] },
  'data.check': { scope: 'data', label: 'Check again', chords: ['c'] },
  'data.cancel': { scope: 'data', label: 'Cancel the check or export', chords: ['Escape'] },
  'data.write': { scope: 'data', label: 'Write the files', chords: ['mod+Enter'], isDecisive: true },
  'data.sample_next': { scope: 'data', label: 'Next sample', chords: ['.'] },
  'data.sample_previous': { scope: 'data', label: 'Previous sample', chords: [','] },
  'data.sample_look': { scope: 'data', label: 'Switch the sample view', chords: ['v'] },
  'data.command': { scope: 'data', label: 'Show as a command', chords: ['y'] },
  'data.copy_rules': { scope: 'data', label: 'Copy the rules', chords: ['Y'] },
  'data.paste_rules': { scope: 'data', label: 'Paste rules', chords: ['P'] },
  'data.reset': { scope: 'data', label: 'Reset the rules', chords: ['R'] },
  'begin.try': { scope: 'begin', label: 'Try it now', chords: ['1'], isDecisive: true },
  'begin.environment': { scope: 'begin', label: 'Connect an environment', chords: ['2'] },
  'begin.trainer': { scope: 'begin', label: 'Connect a trainer', chords: ['3'] },
  'begin.logs': { scope: 'begin', label: 'Open logs', chords: ['4'] },
  'start.go': { scope: 'start', label: 'Start', chords: ['mod+Enter'], isDecisive: true },
} as const satisfies Record<string, KeyBinding>;
export type KeyId = keyof typeof KEY_BINDINGS;

/** The row of a key. */
export const keyRow = (id: KeyId): KeyBinding => KEY_BINDINGS[id];

/** Whether it is pressed alone and stands for a sign: what speech input and a slipped hand press by mistake. */
const isPlain = (chord: string): boolean => chord.split(' ').every((key) => key.length === 1);

/** The chords that do it, the one to show first; without those that are pressed alone where the person turned them off. */
export const chordsOf = (id: KeyId, hasPlainKeys: boolean): readonly string[] =>
  hasPlainKeys ? keyRow(id).chords : keyRow(id).chords.filter((chord) => !isPlain(chord));

const isKeyId = (name: string): name is KeyId => Object.hasOwn(KEY_BINDINGS, name);

/** The chord to show for a key's name, empty for none; anything else is a chord already. */
export const shownChord = (chordOrId: string, hasPlainKeys: boolean): string =>
  isKeyId(chordOrId) ? (chordsOf(chordOrId, hasPlainKeys)[0] ?? '') : chordOrId;

/** Every key with its row, in the order of the sheet. */
export const keyRows = (): { id: KeyId; row: KeyBinding }[] =>
  (Object.keys(KEY_BINDINGS) as KeyId[]).map((id) => ({ id, row: KEY_BINDINGS[id] }));
