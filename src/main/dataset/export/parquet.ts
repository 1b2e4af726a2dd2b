// Owns: a table of rows as a Parquet file, a row group at a time: what is held is bounded, however many rows there are.
// What is JSON in lines is text here: Parquet has no type that its readers agree on for values of any shape.
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { open, type FileHandle } from 'node:fs/promises';
import { safeJson } from './json.ts';
import type { Column } from './format.ts';

type Row = Record<string, unknown>;
type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

/** A group ends when it holds this many characters of text, or this many rows. */
const GROUP_CHARS = 8_000_000;
const GROUP_ROWS = 20_000;

/**
 * Writes the rows under their columns; resolves with how many there were and the bytes written. A row without one of
 * the columns is a fault of its format and throws.
 */
export async function writeTable(
  path: string,
  columns: readonly Column[],
  rows: Iterable<Row> | AsyncIterable<Row>,
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
  columns: readonly Column[],
  rows: Iterable<Row> | AsyncIterable<Row>,
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
    await drain(file, writer);
    count += group.rows;
    group = emptyGroup(columns);
  };
  for await (const row of rows) {
    addRow(group, columns, row);
    if (group.rows >= GROUP_ROWS || group.chars >= GROUP_CHARS) await flush();
  }
  await flush();
  await parquet.finish();
  await drain(file, writer);
  return { rows: count, bytes: writer.offset };
}

/** What the library buffered goes to the file; its buffer is used again. */
async function drain(file: FileHandle, writer: ByteWriter): Promise<void> {
  const bytes = new Uint8Array(writer.buffer, 0, writer.index);
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
  writer.index = 0;
}

type Group = { rows: number; chars: number; data: unknown[][] };
const emptyGroup = (columns: readonly Column[]): Group => ({
  rows: 0,
  chars: 0,
  data: columns.map(() => []),
});

function addRow(group: Group, columns: readonly Column[], row: Row): void {
  columns.forEach(({ name, type }, i) => {
    if (!Object.hasOwn(row, name)) throw new Error(`a row has no column ${name}`);
    const value = valueOf(type, row[name]);
    group.chars += typeof value === 'string' ? value.length : 8;
    group.data[i]?.push(value);
  });
  group.rows += 1;
}

function valueOf(type: Column['type'], value: unknown): unknown {
  switch (type) {
    case 'json':
      return safeJson(value);
    case 'int64':
      return BigInt(value as number);
    default:
      return value;
  }
}

type Element = Schema[number];
const TEXT = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
} satisfies Partial<Element>;

const PLAIN: Record<Exclude<Column['type'], 'strings' | 'bools'>, Partial<Element>> = {
  string: TEXT,
  json: TEXT,
  int64: { type: 'INT64' },
  float64: { type: 'DOUBLE' },
  bool: { type: 'BOOLEAN' },
};

const schemaOf = (columns: readonly Column[]): Schema => [
  { name: 'root', num_children: columns.length },
  ...columns.flatMap(({ name, type }): Element[] => {
    if (type === 'strings') return listOf(name, TEXT);
    if (type === 'bools') return listOf(name, { type: 'BOOLEAN' });
    return [{ name, repetition_type: 'REQUIRED', ...PLAIN[type] }];
  }),
];

/** The three levels that every reader takes for a list. */
const listOf = (name: string, element: Partial<Element>): Element[] => [
  {
    name,
    repetition_type: 'REQUIRED',
    converted_type: 'LIST',
    logical_type: { type: 'LIST' },
    num_children: 1,
  },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'REQUIRED', ...element },
];
