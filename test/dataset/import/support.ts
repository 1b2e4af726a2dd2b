// Owns: a file of the test's own making, imported into a real log the way a person's file is.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findFiles } from '../../../src/main/dataset/import/findFiles.ts';
import { importFile } from '../../../src/main/dataset/import/importFile.ts';
import type { FileReport } from '../../../src/shared/contract/import.ts';
import { createNotes } from '../../../src/main/dataset/import/importNotes.ts';
import { readHere } from '../../../src/main/dataset/import/readOnThread.ts';
import { createSourceStore } from '../../../src/main/dataset/import/sourceStore.ts';
import { foldAll } from '../../../src/shared/episode/fold.ts';
import type { EpisodeRecord } from '../../../src/shared/episode/record.ts';
import { textHead, type Text } from '../../../src/shared/events/text.ts';
import { openLog } from '../../support/log.ts';

export type Content = string | Uint8Array;
export type Imports = { report: FileReport; reports: FileReport[]; records: EpisodeRecord[]; ids: string[] };

/** A call as OpenAI's messages hold it. */
export const call = (id: string, name: string, args: unknown) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});

/** What was asked and answered without an id for the call: in OpenAI's deprecated shape, and in ShareGPT's. */
export const WITHOUT_IDS = [
  {
    messages: [
      { role: 'user', content: 'Find x.' },
      { role: 'assistant', content: '', function_call: { name: 'find', arguments: '{"q":"x"}' } },
      { role: 'function', name: 'find', content: 'x!' },
      { role: 'assistant', content: 'Here.' },
    ],
  },
  {
    conversations: [
      { from: 'human', value: 'Find x.' },
      { from: 'function_call', value: '{"name":"find","arguments":{"q":"x"}}' },
      { from: 'observation', value: 'x!' },
      { from: 'gpt', value: 'Here.' },
    ],
  },
];

export function createBench() {
  const folder = mkdtempSync(join(tmpdir(), 'interject-import-'));
  const log = openLog(':memory:', () => 1_800_000_000_000);
  let made = 0;
  const newId = (): string => `i${String((made += 1)).padStart(6, '0')}`;
  const sources = createSourceStore(join(folder, 'home', 'sources'), newId);
  const clock = (): number => 1_800_000_000_000;
  const parts = { log, newId, clock, sources, read: readHere({ sources, newId }).read };
  const write = (files: Record<string, Content>, at = `in${newId()}`): string => {
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, at, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
    return join(folder, at);
  };
  const read = async (
    path: string,
    signal = new AbortController().signal,
    isLossy = false,
  ): Promise<Imports> => {
    const reports: FileReport[] = [];
    const ids: string[] = [];
    for (const file of findFiles(path, createNotes())) {
      const listening = {
        signal,
        onBytes: () => undefined,
        onEpisode: ({ episode }: { episode: string }) => ids.push(episode),
      };
      reports.push(await importFile(parts, { ...file, isLossy }, listening));
    }
    const [report] = reports;
    if (report === undefined) throw new Error('there was no file to import');
    const records = ids.map((id) => foldAll(id, log.read(id)));
    return { report, reports, records, ids };
  };
  return {
    folder,
    log,
    sources,
    newId,
    parts,
    write,
    read,
    /** Imports a file however little of it can be read. */
    readLossy: async (path: string): Promise<FileReport> => (await read(path, undefined, true)).report,
    /** Imports one file of this content. */
    one: (content: Content, name = 'a.json'): Promise<Imports> =>
      read(join(write({ [name]: content }), name)),
    /** Imports a folder of these files. */
    many: (files: Record<string, Content>): Promise<Imports> => read(write(files)),
    close: (): void => {
      log.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type Bench = ReturnType<typeof createBench>;

export const json = (value: unknown): string => JSON.stringify(value, null, 1);
export const lines = (...rows: unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** The first episode, or a test that fails. */
export function first<T>([one]: readonly T[]): T {
  if (one === undefined) throw new Error('nothing was imported');
  return one;
}

/** Each turn in short: what was asked for, and what came back. */
export const story = ({ turns }: EpisodeRecord): string[] =>
  turns.map(({ move, call, content }) => {
    const back = call?.returned;
    const result = back?.error
      ? ` ! ${textHead(back.error)}`
      : back?.text
        ? ` -> ${textHead(back.text)}`
        : '';
    if (move === null) return `says ${head(content)}`;
    switch (move.type) {
      case 'call_tool':
        return `${move.tool_name}(${JSON.stringify(move.arguments)})${result}`;
      case 'final':
        return `final ${head(move.text)}`;
      case 'malformed':
        return `malformed ${move.code}${result}`;
      default:
        return `${move.type}${result}`;
    }
  });

const head = (text: Text): string => textHead(text).slice(0, 60);
export const codes = ({ diagnostics }: FileReport): string[] => diagnostics.map(({ code }) => code);
