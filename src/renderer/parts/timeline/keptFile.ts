// The file an episode was imported from, fetched stretch by stretch, byte for byte, and given to the person.
import type { Transport } from '../../client/transport.ts';

/** What is held in memory before the browser is given it to keep where it likes, which for much of it is the disk. */
const HELD = 32 * 1024 * 1024;

type KeptFile = { name: string; content: Blob };

/** The whole file. `onShare` hears how much of it is there, from 0 to 1. Throws `not_found` when it is not kept any more. */
export async function fetchKept(
  call: Transport['call'],
  episode: string,
  onShare: (share: number) => void,
): Promise<KeptFile> {
  let content = new Blob([]);
  let held: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (;;) {
    const { name, bytes, data } = await call('import.source', { episode, offset });
    const part = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    held.push(part);
    offset += part.length;
    onShare(bytes === 0 ? 1 : offset / bytes);
    const isWhole = part.length === 0 || offset >= bytes;
    if (!isWhole && held.reduce((sum, { length }) => sum + length, 0) < HELD) continue;
    content = new Blob([content, ...held], { type: 'application/octet-stream' });
    held = [];
    if (isWhole) return { name, content };
  }
}
