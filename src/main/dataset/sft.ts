// Owns: supervised rows: an episode that reached its goal, cut at each intervention.
import { inheritPrivilege, type Actor, type Privilege } from '../../shared/events/actor.ts';
import type { Text } from '../../shared/events/text.ts';
import type { Consultation, EpisodeRecord } from '../../shared/episode/record.ts';
import { chatRows, functionTools, type ChatRow, type FunctionTool } from './chat.ts';
import { isCompleted, provenance, type Provenance } from './provenance.ts';

export type SftRow = { prompt: ChatRow[]; completion: ChatRow[]; tools: FunctionTool[] } & Provenance;
export type Made<Row> = { rows: Row[]; dropped: Record<string, number> };

/**
 * Prompt-completion rows of one ended episode. The prompt runs up to what the expert gave, the completion from there
 * to the next intervention or the end. An episode nobody stepped into is one row. Only episodes the verifier called
 * complete; what was dropped is counted by rule.
 */
export function sftRows(record: EpisodeRecord, whole: (text: Text) => string): Made<SftRow> {
  if (!isCompleted(record)) return { rows: [], dropped: { [dropRule(record)]: 1 } };
  const tools = functionTools(record.offered);
  const messages = chatRows(record.messages, whole);
  const cuts = cutsOf(record);
  const rows: SftRow[] = [];
  const dropped: Record<string, number> = {};
  let privilege: Privilege = [];
  cuts.forEach((cut, index) => {
    privilege = inheritPrivilege(privilege, cut.privilege);
    const end = cuts[index + 1]?.at ?? messages.length;
    const completion = messages.slice(cut.at, end);
    if (!completion.some(({ role }) => role === 'assistant')) {
      dropped['nothing_follows'] = (dropped['nothing_follows'] ?? 0) + 1;
      return;
    }
    rows.push({
      prompt: messages.slice(0, cut.at),
      completion: upToLastReply(completion),
      tools,
      ...provenance(record, { ...cut, privilege }),
    });
  });
  return { rows, dropped };
}

/** A completion ends with the agent's own words; what came back after them belongs to the next prompt. */
const upToLastReply = (messages: ChatRow[]): ChatRow[] =>
  messages.slice(0, messages.findLastIndex(({ role }) => role === 'assistant') + 1);

type Cut = {
  /** Index of the first message of the completion. */
  at: number;
  consultation: string;
  turn: number;
  actor: Actor;
  act: string;
  privilege: Privilege;
};

function cutsOf(record: EpisodeRecord): Cut[] {
  const advised = record.consultations.flatMap((consultation) => adviceCut(record, consultation) ?? []);
  if (advised.length > 0) return advised;
  const first = record.messages.findIndex(({ role }) => role === 'assistant');
  return first === -1
    ? []
    : [
        {
          at: first,
          consultation: '',
          turn: 0,
          actor: { type: 'agent', id: null },
          act: 'solo',
          privilege: [],
        },
      ];
}

function adviceCut(record: EpisodeRecord, { id, turn, decision, delivered }: Consultation): Cut | null {
  if (decision?.type !== 'approved' || delivered === null) return null;
  const at = record.messages.findIndex((message) => message.turn === turn && message.origin === 'advice');
  if (at === -1) return null;
  const { actor, act, privilege } = decision;
  return { at: at + 1, consultation: id, turn, actor, act, privilege };
}

function dropRule({ ended }: EpisodeRecord): string {
  if (ended === null) return 'not_ended';
  return ended.outcome === 'done' || ended.outcome === 'limit' ? 'not_completed' : ended.outcome;
}
