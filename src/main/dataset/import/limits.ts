// Limits of an import. The report names a limit that is reached; nothing beyond it is guessed.

const MIB = 1024 * 1024;

export const LIMITS = {
  /** One file, and one member of an archive once it is unpacked. */
  fileBytes: 16 * 1024 * MIB,
  memberBytes: 4 * 1024 * MIB,
  /** One JSON value that is read whole: a line, a message, an event. */
  valueBytes: 64 * MIB,
  /** What one episode may hold once everything skipped is left out. */
  episodeBytes: 512 * MIB,
  episodeEvents: 500_000,
  /** Brackets within brackets. */
  depth: 200,
  /** An archive's members, how much smaller than its content a member may be, and its directory. */
  members: 200_000,
  ratio: 2_000,
  directoryBytes: 256 * MIB,
  /** A folder's files and how deep they lie. */
  folderFiles: 20_000,
  folderDepth: 12,
  /** Lines of the report about one kind of oddity; more are counted. */
  notesOfOneKind: 20,
  /** A value that is kept as metadata of its episode. */
  metadataCharacters: 256 * 1024,
  /** Paths of unread values that are named; those under further ones are counted. */
  pathsNamed: 60,
  /** Characters that are searched for texts which are no value of their own, in one episode. */
  searchedCharacters: 2_000_000_000,
} as const;

export const sizeWords = (bytes: number): string =>
  bytes >= 1024 * MIB
    ? `${String(Math.round(bytes / (102.4 * MIB)) / 10)} GiB`
    : `${String(Math.round(bytes / (MIB / 10)) / 10)} MiB`;

export class ImportStop extends Error {
  readonly code: string;
  readonly pointer: string | null;

  constructor(code: string, message: string, pointer: string | null = null) {
    super(message);
    this.name = 'ImportStop';
    this.code = code;
    this.pointer = pointer;
  }
}
