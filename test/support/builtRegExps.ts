// A program: loads the source, reads a text through every entry, and prints each regular expression that was built on the
// way, with the line that built it. What a constant is made of is so known as it is, not as somebody wrote it down.
const built = new Map<string, { source: string; flags: string }>();
globalThis.RegExp = new Proxy(RegExp, {
  construct: (Original, given: [string, string?]) => {
    const pattern = new Original(...given);
    const place = new Error().stack
      ?.split('\n')
      .map((line) => /[\\/]src[\\/]([^:)]+:\d+):\d+\)?$/.exec(line)?.[1]?.replaceAll('\\', '/'))
      .find((found) => found !== undefined);
    if (place !== undefined)
      built.set(`${place} ${pattern.source}`, { source: pattern.source, flags: pattern.flags });
    return pattern;
  },
});
const { ENTRIES, timed } = await import('./freezing.ts');
await import('../../src/main/dataset/export/rowFiles.ts');
await import('../../src/main/dataset/export/transcript.ts');
for (const way of Object.values(ENTRIES)) {
  try {
    await timed(way, 'set the workflow 103 to (a) "Anna" b');
  } catch {
    // What it says of the text is not looked at.
  }
}
console.log(
  JSON.stringify([...built].map(([key, pattern]) => ({ place: key.split(' ', 1)[0], ...pattern }))),
);
export {};
