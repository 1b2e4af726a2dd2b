// Reads the parts of an observation from the frame it came in: texts, boards, images, parts of the reward. Pure.
import { isRecord, tryJson } from '../../../shared/json.ts';
import { ENVELOPE, imageOf, isBoard, isScalar } from '../../../shared/observation.ts';

export type ObservationPart = { name: string } & (
  | { type: 'text'; text: string }
  /** A short list of plain values, read on one line. */
  | { type: 'list'; items: readonly string[] }
  | { type: 'board'; rows: readonly (readonly string[])[] }
  /** `url`: null where it is of a format or a size that is not shown. */
  | { type: 'image'; format: string; bytes: number; url: string | null }
  | { type: 'breakdown'; steps: readonly RewardStep[] }
  | { type: 'value'; value: unknown }
);

/** A part of a step's reward, and what the parts come to before and after it. */
export type RewardStep = { name: string; value: number; from: number; to: number };

const IMAGE_FORMATS = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** Most that a browser decodes without a pause. */
export const IMAGE_BYTES_MAX = 4_000_000;
/** Results and listings of tools have views of their own. */
const OF_TOOLS = ['tool_result', 'tools', 'tool_name', 'reward_type'];
/** A list of more characters is read as a tree. */
const LIST_CHARS_MAX = 400;

/** The parts of the observation in a frame; null where it is no frame, or that of a tool's result. */
export function readObservation(frame: string): ObservationPart[] | null {
  const parsed = tryJson(frame);
  const data = isRecord(parsed) && parsed['type'] === 'observation' ? parsed['data'] : null;
  const observation = isRecord(data) ? data['observation'] : null;
  if (!isRecord(observation) || isOfTool(observation)) return null;
  const columns = observation['reward_columns'];
  const parts = Object.entries(observation).flatMap(([name, value]): ObservationPart[] => {
    if (ENVELOPE.has(name) || name === 'reward_columns' || value === null || value === undefined) return [];
    if (name === 'reward_breakdown' && isNumbers(value))
      return [{ name, type: 'breakdown', steps: rewardSteps(value, columns) }];
    return [readPart(name, value)];
  });
  return parts.length === 0 ? null : parts;
}

/** A game may call its score `result`, and have none yet; the result of a tool is an object. */
const isOfTool = (observation: Readonly<Record<string, unknown>>): boolean =>
  isRecord(observation['result']) || OF_TOOLS.some((key) => (observation[key] ?? null) !== null);

function readPart(name: string, value: unknown): ObservationPart {
  if (typeof value === 'string') {
    const image = imageOf(value);
    return image === null ? { name, type: 'text', text: value } : imagePart(name, image);
  }
  if (isBoard(value)) return { name, type: 'board', rows: value.map((row) => row.map(cellText)) };
  if (isScalar(value)) return { name, type: 'text', text: cellText(value) };
  if (isShortList(value)) return { name, type: 'list', items: value.map(cellText) };
  return { name, type: 'value', value };
}

function imagePart(
  name: string,
  { type: format, base64 }: { type: string; base64: string },
): ObservationPart {
  const bytes = Math.floor((base64.length * 3) / 4);
  const isShown = IMAGE_FORMATS.has(format) && bytes <= IMAGE_BYTES_MAX;
  const url = isShown ? `data:${format};base64,${base64.replaceAll(/\s/g, '')}` : null;
  return { name, type: 'image', format, bytes, url };
}

const cellText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const isShortList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(isScalar) &&
  value.every((one) => !cellText(one).includes('\n')) &&
  value.map(cellText).join(', ').length <= LIST_CHARS_MAX;

const isNumbers = (value: unknown): value is Record<string, number> =>
  isRecord(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every((one) => typeof one === 'number' && Number.isFinite(one));

/** In the order of the columns that the environment names, then as they came; each begins where the one before ended. */
function rewardSteps(breakdown: Readonly<Record<string, number>>, columns: unknown): RewardStep[] {
  const named = Array.isArray(columns) ? columns.filter((one) => typeof one === 'string') : [];
  const names = new Set([...named.filter((one) => Object.hasOwn(breakdown, one)), ...Object.keys(breakdown)]);
  let sum = 0;
  return [...names].map((name) => {
    const value = breakdown[name] ?? 0;
    const from = sum;
    sum = plain(sum + value);
    return { name, value, from, to: sum };
  });
}

/** Without the digits that adding fractions leaves. */
export const plain = (value: number): number => Number(value.toPrecision(12));
