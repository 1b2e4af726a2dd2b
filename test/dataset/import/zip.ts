// Owns: making ZIP archives for tests, good ones and bad ones.
import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';

export type Packing = 'stored' | 'deflated' | 'zstandard';
const METHODS: Record<Packing, number> = { stored: 0, deflated: 8, zstandard: 93 };

type Options = { packing?: Packing; hasDirectory?: boolean };

const pack = (bytes: Buffer, packing: Packing): Buffer => {
  if (packing === 'stored') return bytes;
  if (packing === 'deflated') return deflateRawSync(bytes);
  // Two frames, as a writer that appends leaves them.
  const half = Math.floor(bytes.length / 2);
  return Buffer.concat([zstdCompressSync(bytes.subarray(0, half)), zstdCompressSync(bytes.subarray(half))]);
};

/** An archive of these members, in this order. */
export function zip(
  members: readonly (readonly [string, string | Buffer])[],
  { packing = 'zstandard', hasDirectory = true }: Options = {},
): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of members) {
    const bytes = Buffer.from(content);
    const packed = pack(bytes, packing);
    const title = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(METHODS[packing], 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, title, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, title]));
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat(hasDirectory ? [...parts, directory, end] : parts);
}
