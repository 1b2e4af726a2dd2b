// The imports main tells of, and starting one from files, a drop or the clipboard.
import { useCallback, useEffect, useRef, useState } from 'react';
import { IMPORT_CHUNK, type ImportJob } from '../../../shared/contract/import.ts';
import { failureShape } from '../../../shared/failure.ts';
import type { Session } from '../../state/createSession.ts';
import { useSession } from '../../state/hooks.ts';
import { showToast } from '../../state/toasts.ts';

export type Imports = {
  jobs: readonly ImportJob[];
  send: (files: readonly DroppedFile[]) => void;
  /** Tells a person why files could not be sent, or read where they lie. */
  report: (thrown: unknown) => void;
  cancel: (job: string) => void;
  /** Imports again what too little of could be read; null where the files are not at hand any more. */
  again: (job: string) => (() => void) | null;
};

export function useImports(): Imports {
  const { watch, call, store } = useSession();
  const [jobs, setJobs] = useState<readonly ImportJob[]>([]);
  useEffect(
    () =>
      watch({ topic: 'imports' }, (push) => {
        if (push.topic === 'imports') setJobs(push.jobs);
      }),
    [watch],
  );
  const report = useCallback(
    (thrown: unknown): void => {
      const failure = failureShape(thrown);
      // Cancelled by the person, who knows.
      if (failure.code === 'cancelled' || failure.code === 'not_found') return;
      showToast(store, { tone: 'error', title: 'Could not import', text: failure.message });
    },
    [store],
  );
  const sent = useRef(new Map<string, readonly DroppedFile[]>());
  const send = useCallback(
    (files: readonly DroppedFile[], isLossy = false): void => {
      if (files.length === 0) return;
      const onBegun = (id: string): void => void sent.current.set(id, files);
      void sendFiles(call, files, { isLossy, onBegun }).catch(report);
    },
    [call, report],
  );
  const cancel = useCallback(
    (job: string): void => {
      sent.current.delete(job);
      void call('import.cancel', { import: job }).catch(report);
    },
    [call, report],
  );
  const again = useCallback(
    (job: string) => {
      const files = sent.current.get(job);
      if (files === undefined) return null;
      return () => {
        cancel(job);
        send(files, true);
      };
    },
    [cancel, send],
  );
  return { jobs, send, report, cancel, again };
}

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Files dropped anywhere on the page, and a log pasted outside a field. Says whether something hovers. */
export function useDropAnywhere({ send, report }: Pick<Imports, 'send' | 'report'>, isOn: boolean): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const ends = [
      listen('dragover', (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsOver(true);
      }),
      listen('dragleave', (event) => {
        if (event.relatedTarget === null) setIsOver(false);
      }),
      listen('drop', (event) => {
        if (!hasFiles(event) || event.dataTransfer === null) return;
        event.preventDefault();
        setIsOver(false);
        void droppedFiles(event.dataTransfer).then(send).catch(report);
      }),
      listen('paste', (event) => {
        if (isEditable(event.target) || event.clipboardData === null) return;
        const files = pasted(event.clipboardData);
        if (files.length > 0) event.preventDefault();
        send(files);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [send, report, isOn]);
  return isOver;
}

function listen<K extends 'dragover' | 'dragleave' | 'drop' | 'paste'>(
  type: K,
  heard: (event: DocumentEventMap[K]) => void,
): () => void {
  document.addEventListener(type, heard);
  return () => document.removeEventListener(type, heard);
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** Files in the clipboard, or text that can only be a log. */
function pasted(data: DataTransfer): DroppedFile[] {
  const files = [...data.files].map((file) => ({ name: file.name, file }));
  if (files.length > 0) return files;
  const text = data.getData('text/plain');
  return /^\s*[[{]/.test(text) ? [{ name: 'pasted.json', file: new File([text], 'pasted.json') }] : [];
}

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
async function droppedFiles({ items, files }: DataTransfer): Promise<DroppedFile[]> {
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
