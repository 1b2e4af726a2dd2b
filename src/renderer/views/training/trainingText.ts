// Words of the training view, and a picked file on its way to main.
import type { RunRow } from '../../../shared/contract/training.ts';

export const SOURCE_LABELS: Readonly<Record<RunRow['source'], string>> = {
  episodes: 'from episodes',
  jsonl: 'from JSON lines',
  csv: 'from CSV',
  trainer_state: 'from trainer_state.json',
  reports: 'from its trainer’s reports',
  example: 'published example',
};

export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const parts: string[] = [];
  // More arguments than this overflow the stack.
  for (let at = 0; at < bytes.length; at += 0x8000)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(parts.join(''));
}
