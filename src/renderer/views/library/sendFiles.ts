// Bringing what a person dropped, chose or pasted to main: which files there are, and their bytes in order.
import { IMPORT_CHUNK } from '../../../shared/contract/import.ts';
import type { Session } from '../../state/createSession.ts';

export type DroppedFile = { name: string; file: File };

type SendingFiles = {
  /** Takes in episodes however little of their record can be read. */
  isLossy?: boolean;
  /** Called with the import's id, before any of it was sent. */
  onBegun?: (id: string) => void;
};

/** Sends the files, piece by piece. Rejects with a Failure when main takes no more. */
export async function sendFiles(
  call: Session['call'],
  dropped: readonly DroppedFile[],
  { isLossy = false, onBegun }: SendingFiles = {},
): Promise<void> {
  const files = dropped.map(({ name, file }) => ({ name, bytes: file.size }));
  const { import: id } = await call('import.begin', { files, lossy: isLossy });
  onBegun?.(id);
  for (const [index, { file }] of dropped.entries()) {
    for (let offset = 0; offset < file.size; offset += IMPORT_CHUNK) {
      const data = await base64Of(file.slice(offset, offset + IMPORT_CHUNK));
      await call('import.chunk', { import: id, file: index, offset, data });
    }
  }
  await call('import.end', { import: id });
}

/** The reader encodes off this thread: a large file does not hold the page up. */
function base64Of(piece: Blob): Promise<string> {
  return new Promise((settle, refuse) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      settle(url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () => refuse(reader.error ?? new Error('the file cannot be read'));
    reader.readAsDataURL(piece);
  });
}

/** Files of a list a person chose; of a folder with their place in it. */
export const chosenFiles = (list: FileList): DroppedFile[] =>
  [...list].map((file) => ({
    name: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }));

/** Everything in a drop, folders with what is in them. Call it inside the event: the list is empty afterwards. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<DroppedFile[]> {
  const entries = [...items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry === null ? [] : [entry];
  });
  if (entries.length === 0) return chosenFiles(files);
  const found = await Promise.all(entries.map((entry) => filesIn(entry, '')));
  return found.flat();
}

async function filesIn(entry: FileSystemEntry, above: string): Promise<DroppedFile[]> {
  const name = `${above}${entry.name}`;
  // Not by its class: Chromium has none of that name.
  if (entry.isFile) {
    const file = await new Promise<File>((settle, refuse) =>
      (entry as FileSystemFileEntry).file(settle, refuse),
    );
    return [{ name, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: DroppedFile[] = [];
  // A reader gives a hundred or so at a time, and none at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((settle, refuse) => reader.readEntries(settle, refuse));
    if (some.length === 0) return found;
    for (const inner of some) found.push(...(await filesIn(inner, `${name}/`)));
  }
}
