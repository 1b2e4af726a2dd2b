// Scalars of a TensorBoard event file: records with checksums, in each a protocol buffer of which few fields matter.
import { Failure } from '../../shared/failure.ts';
import type { MetricPoint } from './metricPoint.ts';

/** A record is a length, its checksum, the bytes, their checksum. */
const HEADER = 12;
const FOOTER = 4;

export const isEventFile = (bytes: Uint8Array): boolean => {
  if (bytes.length < HEADER + FOOTER) return false;
  const view = viewOf(bytes);
  return view.getUint32(8, true) === maskedCrc(bytes.subarray(0, 8));
};

/** Every scalar, in the order of the file. A last record that was cut off is left out; a damaged one throws. */
export function readEventFile(bytes: Uint8Array): MetricPoint[] {
  const view = viewOf(bytes);
  const points: MetricPoint[] = [];
  let at = 0;
  while (at + HEADER <= bytes.length) {
    const length = Number(view.getBigUint64(at, true));
    if (view.getUint32(at + 8, true) !== maskedCrc(bytes.subarray(at, at + 8))) throw damaged(at);
    const end = at + HEADER + length;
    if (end + FOOTER > bytes.length) break;
    const record = bytes.subarray(at + HEADER, end);
    if (view.getUint32(end, true) !== maskedCrc(record)) throw damaged(at);
    points.push(...scalarsOf(record));
    at = end + FOOTER;
  }
  return points;
}

const damaged = (at: number): Failure =>
  new Failure('bad_input', `the event file is damaged at byte ${String(at)}`, {
    next: 'Copy the file again from where the trainer wrote it.',
  });

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Fields of `Event`, `Summary.Value` and `TensorProto` by number. */
const EVENT = { step: 2, summary: 5 };
const SUMMARY_VALUE = 1;
const VALUE = { tag: 1, simple: 2, tensor: 8 };
const TENSOR = { type: 1, shape: 2, content: 4, floats: 5, doubles: 6 };
const DT_FLOAT = 1;
const DT_DOUBLE = 2;

function scalarsOf(record: Uint8Array): MetricPoint[] {
  const fields = [...fieldsOf(record)];
  const step = Number(BigInt.asIntN(64, fields.find(({ number }) => number === EVENT.step)?.varint ?? 0n));
  return fields
    .filter(({ number }) => number === EVENT.summary)
    .flatMap(({ bytes }) => [...fieldsOf(bytes)])
    .filter(({ number }) => number === SUMMARY_VALUE)
    .flatMap(({ bytes }) => scalarOf([...fieldsOf(bytes)], step));
}

function scalarOf(fields: readonly Field[], step: number): MetricPoint[] {
  const tag = fields.find(({ number }) => number === VALUE.tag);
  if (tag === undefined) return [];
  const simple = fields.find(({ number, wire }) => number === VALUE.simple && wire === 5);
  const tensor = fields.find(({ number }) => number === VALUE.tensor);
  const value =
    simple === undefined
      ? tensorScalar(tensor?.bytes ?? new Uint8Array())
      : viewOf(simple.bytes).getFloat32(0, true);
  return value === null ? [] : [{ step, name: new TextDecoder().decode(tag.bytes), value }];
}

/** A tensor of one number; null for any other. */
function tensorScalar(bytes: Uint8Array): number | null {
  const fields = [...fieldsOf(bytes)];
  const type = Number(fields.find(({ number }) => number === TENSOR.type)?.varint ?? 0n);
  const at = (number: number): Uint8Array | null =>
    fields.find((field) => field.number === number)?.bytes ?? null;
  const shape = at(TENSOR.shape);
  if (shape !== null && shape.length > 0) return null;
  const size = type === DT_FLOAT ? 4 : type === DT_DOUBLE ? 8 : 0;
  const held = at(TENSOR.content) ?? at(type === DT_FLOAT ? TENSOR.floats : TENSOR.doubles);
  if (held === null || size === 0 || held.length !== size) return null;
  return size === 4 ? viewOf(held).getFloat32(0, true) : viewOf(held).getFloat64(0, true);
}

type Field = { number: number; wire: number; varint: bigint; bytes: Uint8Array };

/** The fields of a message in their order. Stops where the bytes are no message. */
function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; at < bytes.length && shift < 70n; shift += 7n) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const [number, wire] = [key >>> 3, key & 7];
    const size = wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? Number(varint()) : 0;
    if (wire === 0) {
      yield { number, wire, varint: varint(), bytes: new Uint8Array() };
    } else if (size > bytes.length - at || (wire !== 1 && wire !== 2 && wire !== 5)) {
      return;
    } else {
      yield { number, wire, varint: 0n, bytes: bytes.subarray(at, at + size) };
      at += size;
    }
  }
}

/** CRC-32C, as every record of the format carries it. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value >>> 0;
});

function maskedCrc(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  crc = (crc ^ 0xffffffff) >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
