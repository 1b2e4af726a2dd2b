// Owns: the table of formats.
import type { ExportFormat } from '../../../shared/contract/export.ts';
import { Failure } from '../../../shared/failure.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { uptakeOf } from '../../../shared/episode/uptake.ts';
import { preferenceRows } from '../preference.ts';
import type { Provenance } from '../provenance.ts';
import { sftRows } from '../sft.ts';
import type { ChatRow } from '../chat.ts';
import type { Column, Format, MadeRow } from './format.ts';

const PROVENANCE: readonly Column[] = [
  { name: 'episode', type: 'string' },
  { name: 'scenario', type: 'string' },
  { name: 'task_idx', type: 'int64' },
  { name: 'condition', type: 'string' },
  { name: 'consultation', type: 'string' },
  { name: 'turn', type: 'int64' },
  { name: 'actor', type: 'string' },
  { name: 'act', type: 'string' },
  { name: 'privilege', type: 'string' },
  { name: 'leak_free', type: 'bool' },
  { name: 'reward', type: 'float64' },
  { name: 'reward_type', type: 'string' },
];
const messages = (name: string): Column => ({ name, type: 'json', isList: true });

const made = <Row extends Provenance>(
  record: EpisodeRecord,
  rows: readonly Row[],
  mask: (row: Row) => { prompt: ChatRow[]; trained: ChatRow[] },
): MadeRow[] =>
  rows.map((row) => {
    const consultation = record.consultations.find(({ id }) => id === row.consultation) ?? null;
    const { prompt, trained } = mask(row);
    const lines = (messages: ChatRow[], trains: boolean) =>
      messages.map(({ role, content, tool_calls: calls }) => ({
        role,
        text: content === '' && calls !== undefined ? JSON.stringify(calls) : content,
        trains: trains && role === 'assistant',
        why: trains && role === 'assistant' ? null : trains ? 'not the agent’s words' : 'prompt',
      }));
    return {
      row,
      facts: {
        task: [row.scenario, row.task_idx],
        n: consultation?.askedN ?? record.turns.find(({ turn }) => turn === row.turn)?.n ?? null,
        turn: row.turn,
        consultation: consultation?.id ?? null,
        actor: row.actor,
        privilege: row.privilege === 'unknown' ? 'unknown' : row.leak_free ? [] : ['reference'],
        uptake: consultation === null ? null : (uptakeOf(record, consultation)?.verdict ?? null),
        hasTimeout: false,
        isLate: false,
        hasFabricated: false,
        hasTouched: false,
        label: null,
        identity: JSON.stringify([prompt, trained]),
        mask: () => [...lines(prompt, false), ...lines(trained, true)],
      },
    };
  });

const FORMATS: Partial<Record<ExportFormat, Format>> = {
  sft: {
    id: 'sft',
    verdict: 'completed',
    columns: [messages('prompt'), messages('completion'), messages('tools'), ...PROVENANCE],
    says:
      'Each row is cut at an intervention: `prompt` runs up to what the expert gave, `completion` from there to the ' +
      'next intervention or the end. An episode nobody stepped into is one row with `act` "solo". Train with ' +
      'completion-only loss, and with assistant-only loss where the chat template has it: completions hold tool ' +
      'results between the agent’s turns.',
    rows: ({ record, whole }) => {
      const { rows, dropped } = sftRows(record, whole);
      return {
        rows: made(record, rows, (row) => ({ prompt: row.prompt, trained: row.completion })),
        dropped,
      };
    },
  },
  preference: {
    id: 'preference',
    verdict: 'any',
    columns: [
      messages('prompt'),
      messages('chosen'),
      messages('rejected'),
      messages('tools'),
      { name: 'pair', type: 'string' },
      ...PROVENANCE,
    ],
    says:
      'Pairs from one decision point only. `pair` "advice": what a person gave over the draft it was edited from. ' +
      '`pair` "call": the call that went through over one that was refused at the same state. Unchanged drafts, ' +
      'timeouts and cancels make no pair.',
    rows: ({ record, whole }) => {
      const { rows, dropped } = preferenceRows(record, whole);
      return { rows: made(record, rows, (row) => ({ prompt: row.prompt, trained: row.chosen })), dropped };
    },
  },
};

/** Null for one that is not written here. */
export const findFormat = (id: ExportFormat): Format | null => FORMATS[id] ?? null;

/** Throws `bad_input`. */
export function formatOf(id: ExportFormat): Format {
  const format = FORMATS[id];
  if (format === undefined) throw new Failure('bad_input', `${id} cannot be written yet`);
  return format;
}
