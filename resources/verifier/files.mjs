// Limits what Python's files take. They lie in JavaScript's memory, outside of WebAssembly's limit.

/** `onFull` is called where files would take more than `max` bytes beside those that are there; it must not return. */
export function limitFiles(FS, max, onFull) {
  const { MEMFS } = FS.filesystems;
  const limit = held(FS) + max;
  let atMost = limit - max;
  const add = (bytes) => {
    if (bytes <= 0) return;
    atMost += bytes;
    if (atMost <= limit) return;
    // Files that were removed count until here.
    atMost = held(FS) + bytes;
    if (atMost > limit) onFull();
  };
  for (const name of ['expandFileStorage', 'resizeFileStorage']) {
    const run = MEMFS[name];
    MEMFS[name] = (node, size) => {
      const before = sizeOf(node);
      const asked = Math.max(0, size - before);
      add(asked);
      const result = Reflect.apply(run, MEMFS, [node, size]);
      // A file that grows is given more than it asked for.
      add(sizeOf(node) - before - asked);
      return result;
    };
  }
  const { write } = FS;
  FS.write = (stream, buffer, at, length, ...rest) => {
    // The first bytes of a file are taken as they are.
    if (FS.isFile(stream.node.mode) && stream.node.usedBytes === 0) add(length);
    return Reflect.apply(write, FS, [stream, buffer, at, length, ...rest]);
  };
}

const sizeOf = (node) => node.contents?.length ?? 0;

/** Of all files with a name, and of those that are only open. */
function held(FS) {
  const seen = new Set();
  let bytes = 0;
  const look = (node) => {
    if (seen.has(node)) return;
    seen.add(node);
    if (FS.isDir(node.mode)) for (const child of Object.values(node.contents)) look(child);
    else if (FS.isFile(node.mode)) bytes += sizeOf(node);
  };
  look(FS.root);
  for (const stream of FS.streams) if (stream) look(stream.node);
  return bytes;
}
