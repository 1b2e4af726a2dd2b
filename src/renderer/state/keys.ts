// Owns: every key of the console, one row each. The `?` sheet, the bindings and the hints on buttons all read it.
// A chord is `mod+k`, `shift+j`, `G`, `?`; `mod` is Ctrl, on a Mac Command. Two keys in a row are written `g g`.

export const SCOPES = {
  everywhere: { label: 'Everywhere', isOverlay: false },
  list: { label: 'Lists', isOverlay: false },
  live: { label: 'Live', isOverlay: false },
  desk: { label: 'Desk', isOverlay: false },
  call: { label: 'A held call', isOverlay: false },
  takeover: { label: 'Acting in the agent’s place', isOverlay: false },
  label: { label: 'Labelling turns', isOverlay: false },
  timeline: { label: 'Timeline', isOverlay: false },
  replay: { label: 'Replay', isOverlay: false },
  wall: { label: 'Wall', isOverlay: false },
  /** Acts while its dialog is open, when everything else stands down. */
  start: { label: 'Start an episode', isOverlay: true },
} as const;
export type Scope = keyof typeof SCOPES;

export type KeyRow = {
  scope: Scope;
  label: string;
  /** The first is the one shown. */
  chords: readonly string[];
  /** Sends or ends something: a held key must not do it again. */
  isDecisive?: true;
};

export const KEYS = {
  'palette.open': { scope: 'everywhere', label: 'Command palette', chords: ['mod+k'] },
  'keys.show': { scope: 'everywhere', label: 'Show the keys', chords: ['?'] },
  'desk.next': { scope: 'everywhere', label: 'Next waiting question', chords: ['n'] },
  'desk.take_back': { scope: 'everywhere', label: 'Take back what is about to be sent', chords: ['u'] },
  'episode.start': { scope: 'everywhere', label: 'Start an episode', chords: ['s'] },
  'go.desk': { scope: 'everywhere', label: 'Go to the desk', chords: ['g d'] },
  'go.live': { scope: 'everywhere', label: 'Go to the live episodes', chords: ['g l'] },
  'go.wall': { scope: 'everywhere', label: 'Go to the wall', chords: ['g w'] },
  'go.answers': { scope: 'everywhere', label: 'Go to my answers', chords: ['g a'] },
  'go.library': { scope: 'everywhere', label: 'Go to the library', chords: ['g b'] },
  'go.data': { scope: 'everywhere', label: 'Go to the data', chords: ['g x'] },
  'go.connect': { scope: 'everywhere', label: 'Go to connect', chords: ['g c'] },
  'go.settings': { scope: 'everywhere', label: 'Go to the settings', chords: ['g s'] },
  'pane.list': { scope: 'everywhere', label: 'Show or hide the list', chords: ['['] },
  'pane.inspector': { scope: 'everywhere', label: 'Show or hide the inspector', chords: [']'] },
  'list.down': { scope: 'list', label: 'Down', chords: ['j', 'ArrowDown'] },
  'list.up': { scope: 'list', label: 'Up', chords: ['k', 'ArrowUp'] },
  'list.first': { scope: 'list', label: 'First', chords: ['g g', 'Home'] },
  'list.last': { scope: 'list', label: 'Last', chords: ['G', 'End'] },
  'list.open': { scope: 'list', label: 'Open', chords: ['Enter'] },
  'list.find': { scope: 'list', label: 'Find', chords: ['/'] },
  'live.next': { scope: 'live', label: 'Next episode', chords: ['J'] },
  'live.previous': { scope: 'live', label: 'Previous episode', chords: ['K'] },
  'live.stop': { scope: 'live', label: 'Stop the episode', chords: ['Q'] },
  'live.again': { scope: 'live', label: 'The same episode again', chords: ['R'] },
  'live.next_task': { scope: 'live', label: 'The same with the next task', chords: ['N'] },
  'live.resume': { scope: 'live', label: 'Go on with an interrupted episode', chords: ['U'] },
  'live.pause': { scope: 'live', label: 'Pause or resume', chords: ['Space'] },
  'live.pause_at_once': { scope: 'live', label: 'Pause at once', chords: ['shift+Space'] },
  'live.step': { scope: 'live', label: 'One step', chords: ['.'] },
  'live.take_over': { scope: 'live', label: 'Take over or hand back', chords: ['t'] },
  'live.note': { scope: 'live', label: 'Interject a note', chords: ['i'] },
  'live.breakpoint': { scope: 'live', label: 'Breakpoints and rules', chords: ['b'] },
  'live.override': { scope: 'live', label: 'Override the proposed call', chords: ['o'] },
  'note.send': { scope: 'live', label: 'Send the note', chords: ['mod+Enter'], isDecisive: true },
  'call.approve': { scope: 'call', label: 'Approve', chords: ['a'], isDecisive: true },
  'call.approve_similar': {
    scope: 'call',
    label: 'Approve and allow similar',
    chords: ['A'],
    isDecisive: true,
  },
  'call.edit': { scope: 'call', label: 'Edit the arguments', chords: ['e'] },
  'call.override': { scope: 'call', label: 'Another tool', chords: ['o'] },
  'call.answer': { scope: 'call', label: 'Answer for the tool', chords: ['w'] },
  'call.reject': { scope: 'call', label: 'Reject with a reason', chords: ['r'] },
  'call.send': { scope: 'call', label: 'Send what is written', chords: ['mod+Enter'], isDecisive: true },
  'call.back': { scope: 'call', label: 'Back to the acts', chords: ['Escape'] },
  'takeover.send': { scope: 'takeover', label: 'Make the move', chords: ['mod+Enter'], isDecisive: true },
  'takeover.call': { scope: 'takeover', label: 'Call a tool', chords: ['c'] },
  'takeover.list': { scope: 'takeover', label: 'List the tools', chords: ['l'] },
  'takeover.final': { scope: 'takeover', label: 'Final answer', chords: ['F'] },
  'label.agree': { scope: 'label', label: 'The same move', chords: ['1'], isDecisive: true },
  'label.differ': { scope: 'label', label: 'Another move', chords: ['2'] },
  'label.skip': { scope: 'label', label: 'Skip the turn', chords: ['3'] },
  'label.send': { scope: 'label', label: 'Give the label', chords: ['mod+Enter'], isDecisive: true },
  'desk.accept': { scope: 'desk', label: 'Accept the draft', chords: ['a'], isDecisive: true },
  'desk.edit': { scope: 'desk', label: 'Edit', chords: ['e'] },
  'desk.send': { scope: 'desk', label: 'Send advice', chords: ['mod+Enter'], isDecisive: true },
  'desk.decline': { scope: 'desk', label: 'Decline with a reason', chords: ['r'] },
  'desk.pass': { scope: 'desk', label: 'Pass it on to another seat', chords: ['p'], isDecisive: true },
  'desk.redraft': { scope: 'desk', label: 'Ask for another draft', chords: ['h'] },
  'desk.plan': { scope: 'desk', label: 'Write the plan as rows or as text', chords: ['l'] },
  'desk.select': { scope: 'desk', label: 'Choose the held call for one approval', chords: ['x'] },
  'desk.approve_chosen': { scope: 'desk', label: 'Approve the chosen calls', chords: ['B'] },
  'desk.diff': { scope: 'desk', label: 'Show what you changed', chords: ['d'] },
  'desk.open': { scope: 'desk', label: 'Open the episode', chords: ['Enter'] },
  'desk.close': { scope: 'desk', label: 'Close the episode', chords: ['Escape'] },
  'timeline.down': { scope: 'timeline', label: 'Next step', chords: ['j', 'ArrowDown'] },
  'timeline.up': { scope: 'timeline', label: 'Previous step', chords: ['k', 'ArrowUp'] },
  'timeline.first': { scope: 'timeline', label: 'First step', chords: ['g g', 'Home'] },
  'timeline.last': { scope: 'timeline', label: 'Last step, and follow', chords: ['G', 'End'] },
  'timeline.toggle': { scope: 'timeline', label: 'Open or close the step', chords: ['Enter'] },
  'timeline.find': { scope: 'timeline', label: 'Find', chords: ['/'] },
  'timeline.expand': { scope: 'timeline', label: 'Open or close every step', chords: ['z'] },
  'timeline.error': { scope: 'timeline', label: 'Next error', chords: ['x'] },
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
  'replay.fork': { scope: 'replay', label: 'Fork here', chords: ['f'], isDecisive: true },
  'wall.left': { scope: 'wall', label: 'Left', chords: ['ArrowLeft', 'h'] },
  'wall.right': { scope: 'wall', label: 'Right', chords: ['ArrowRight', 'l'] },
  'wall.up': { scope: 'wall', label: 'Up', chords: ['ArrowUp', 'k'] },
  'wall.down': { scope: 'wall', label: 'Down', chords: ['ArrowDown', 'j'] },
  'wall.first': { scope: 'wall', label: 'First', chords: ['Home', 'g g'] },
  'wall.last': { scope: 'wall', label: 'Last', chords: ['End', 'G'] },
  'wall.open': { scope: 'wall', label: 'Open the episode', chords: ['Enter'] },
  'wall.waiting': { scope: 'wall', label: 'Next that waits', chords: ['w'] },
  'start.go': { scope: 'start', label: 'Start', chords: ['mod+Enter'], isDecisive: true },
} as const satisfies Record<string, KeyRow>;
export type KeyId = keyof typeof KEYS;

/** The row of a key. */
export const keyRow = (id: KeyId): KeyRow => KEYS[id];
/** Every key with its row, in the order of the sheet. */
export const keyRows = (): { id: KeyId; row: KeyRow }[] =>
  (Object.keys(KEYS) as KeyId[]).map((id) => ({ id, row: KEYS[id] }));
