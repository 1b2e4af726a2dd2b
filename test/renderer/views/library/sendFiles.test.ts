import { describe, expect, it } from 'vitest';
import { droppedFiles } from '../../../../src/renderer/views/library/useImports.ts';

/** As Chromium hands over what is dragged from a window for files: objects whose classes have no global name. */
const fileEntry = (name: string) => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (settle: (file: File) => void) => settle(new File(['{}'], name)),
});
const folderEntry = (name: string, inner: unknown[]) => ({
  name,
  isFile: false,
  isDirectory: true,
  createReader: () => {
    const batches = [inner, []];
    return { readEntries: (settle: (entries: unknown[]) => void) => settle(batches.shift() ?? []) };
  },
});
const drop = (...entries: unknown[]): DataTransfer =>
  ({
    items: entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry })),
    files: [],
  }) as unknown as DataTransfer;

describe('what a person drops', () => {
  it('is every file, and of a folder every file in it, in its place', async () => {
    const files = await droppedFiles(
      drop(
        fileEntry('a.jsonl'),
        folderEntry('runs', [fileEntry('b.json'), folderEntry('more', [fileEntry('c')])]),
      ),
    );

    expect(files.map(({ name }) => name)).toEqual(['a.jsonl', 'runs/b.json', 'runs/more/c']);
    expect(files.every(({ file }) => file.size === 2)).toBe(true);
  });
});
