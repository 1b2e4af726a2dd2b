// The kinds of stream the log holds, told from a stream's name, and which of them a seat may read as events. A kind that
// is not named here is nobody's: it is refused until someone decides.

/** The readers of a stream through the console. Commands of their own may tell parts of the others. */
type Readers = { owner: boolean; expert: boolean };

export const STREAM_READERS = {
  /** One episode. Outcomes are covered where the run or the seat's review is blind. */
  episode: { owner: true, expert: true },
  /** `late/<episode>`: advice that came after the ask, with the seats it came from. */
  late: { owner: true, expert: false },
  /** `tags/<episode>`: the owner's words, which may say how it went. */
  tags: { owner: true, expert: false },
  /** `import/<episode>`: where it was read from, with paths. */
  import: { owner: true, expert: false },
  /** `seat/<id>`: what a seat has seen and said of its presence. */
  seat: { owner: true, expert: false },
  /** `annotate/<project>`: what reviewers said; a blind queue's reviewers read their own by `queue.open`. */
  annotate: { owner: true, expert: false },
  /** `rewards/profiles`: what is worth how much. */
  rewards: { owner: true, expert: false },
  /** `curriculum/<run>`: which tasks are trained on, and with how much help. */
  curriculum: { owner: true, expert: false },
  /** `training/<run>`: what a trainer's own log tells of its steps. */
  training: { owner: true, expert: false },
  /** `benches`: what each bench was fixed to before it ran. */
  benches: { owner: true, expert: false },
  /** `lifts`: which answers each measurement of their worth goes on from, fixed before it ran. */
  lifts: { owner: true, expert: false },
  /** `lift/<episode>`: what answers in it were worth. */
  lift: { owner: true, expert: false },
  /** `exports`: what was written, where to, by which rules and whom. */
  exports: { owner: true, expert: false },
  /** `splits`: which tasks are held out. */
  splits: { owner: true, expert: false },
} as const satisfies Record<string, Readers>;
export type StreamKind = keyof typeof STREAM_READERS;

const ALONE: ReadonlySet<string> = new Set<StreamKind>(['benches', 'exports', 'lifts', 'splits']);

/** Null for a kind that nobody has decided about. Whether an episode's id names one is for the log to say. */
export function streamKind(stream: string): StreamKind | null {
  const slash = stream.indexOf('/');
  if (slash === -1) return ALONE.has(stream) ? (stream as StreamKind) : 'episode';
  const prefix = stream.slice(0, slash);
  const isNamed = Object.hasOwn(STREAM_READERS, prefix) && prefix !== 'episode' && !ALONE.has(prefix);
  return isNamed ? (prefix as StreamKind) : null;
}
