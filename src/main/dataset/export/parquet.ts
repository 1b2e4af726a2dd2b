// Writes rows as a Parquet file one row group at a time, so that memory stays bounded. Values that are JSON in lines
// are text here, because Parquet has no type for values of any shape that its readers agree on.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { open, type FileHandle } from 'node:fs/promises';
import { safeJson } from './json.ts';
import type { FormatColumn } from './format.ts';

type ParquetRow = Record<string, unknown>;
type ParquetSchema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

/** A group ends when it holds this many characters of text, or this many rows. */
const GROUP_CHARS = 8_000_000;
const GROUP_ROWS = 20_000;

/**
 * Writes the rows under their columns; resolves with how many there were and the bytes written. A row without one of
 * the columns is a fault of its format and throws.
 */
export async function writeTable(
  path: string,
  columns: readonly FormatColumn[],
  rows: Iterable<ParquetRow> | AsyncIterable<ParquetRow>,
): Promise<{ rows: number; bytes: number }> {
  const file = await open(path, 'w', 0o600);
  try {
    return await writeGroups(file, columns, rows);
  } finally {
    await file.close();
  }
}

async function writeGroups(
  file: FileHandle,
  columns: readonly FormatColumn[],
  rows: Iterable<ParquetRow> | AsyncIterable<ParquetRow>,
): Promise<{ rows: number; bytes: number }> {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({
    writer,
    schema: schemaOf(columns),
    createdBy: 'Interject',
    // Statistics of long texts help nobody find a row.
    statistics: false,
  });
  let count = 0;
  let group = emptyGroup(columns);
  const flush = async (): Promise<void> => {
    if (group.rows === 0) return;
    const columnData = columns.map(({ name }, i) => ({
      name,
      data: group.data[i] ?? [],
      offsetIndex: false,
    }));
    await parquet.write({ columnData, rowGroupSize: group.rows });
    await flushWriter(file, writer);
    count += group.rows;
    group = emptyGroup(columns);
  };
  for await (const row of rows) {
    addRow(group, columns, row);
    if (group.rows >= GROUP_ROWS || group.chars >= GROUP_CHARS) await flush();
  }
  await flush();
  await parquet.finish();
  await flushWriter(file, writer);
  return { rows: count, bytes: writer.offset };
}

/** Writes the library's buffer to the file and uses the buffer again. */
async function flushWriter(file: FileHandle, writer: ByteWriter): Promise<void> {
  const bytes = new Uint8Array(writer.buffer, 0, writer.index);
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
  writer.index = 0;
}

type RowGroup = { rows: number; chars: number; data: unknown[][] };
const emptyGroup = (columns: readonly FormatColumn[]): RowGroup => ({
  rows: 0,
  chars: 0,
  data: columns.map(() => []),
});

function addRow(group: RowGroup, columns: readonly FormatColumn[], row: ParquetRow): void {
  columns.forEach(({ name, type }, i) => {
    if (!Object.hasOwn(row, name)) throw new Error(`a row has no column ${name}`);
    const value = columnValue(type, row[name]);
    group.chars += typeof value === 'string' ? value.length : 8;
    group.data[i]?.push(value);
  });
  group.rows += 1;
}

function columnValue(type: FormatColumn['type'], value: unknown): unknown {
  switch (type) {
    case 'json':
      return safeJson(value);
    case 'int64':
      return BigInt(String(value));
    default:
      return value;
  }
}

type Element = ParquetSchema[number];
const TEXT_ELEMENT = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
} satisfies Partial<Element>;

const ELEMENTS: Record<FormatColumn['type'], Partial<Element>> = {
  string: TEXT_ELEMENT,
  json: TEXT_ELEMENT,
  int64: { type: 'INT64' },
  float64: { type: 'DOUBLE' },
  bool: { type: 'BOOLEAN' },
};

const schemaOf = (columns: readonly FormatColumn[]): ParquetSchema => [
  { name: 'root', num_children: columns.length },
  ...columns.map(({ name, type }): Element => ({ name, repetition_type: 'REQUIRED', ...ELEMENTS[type] })),
];
