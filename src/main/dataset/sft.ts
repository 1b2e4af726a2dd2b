// Owns: supervised rows: an episode that reached its goal, cut at each intervention.
import { inheritPrivilege, type Actor, type Privilege } from '../../shared/events/actor.ts';
import type { Text } from '../../shared/events/text.ts';
import type { Consultation, EpisodeRecord } from '../../shared/episode/record.ts';
import { chatRows, functionTools, safeText, type ChatRow, type FunctionTool } from './chat.ts';
import { isCompleted, provenance, type Provenance } from './provenance.ts';
import { lacksWords, toldConversation } from './told.ts';

export type SftRow = { prompt: ChatRow[]; completion: ChatRow[]; tools: FunctionTool[] } & Provenance;
export type Made<Row> = { rows: Row[]; dropped: Record<string, number> };

/**
 * Prompt-completion rows of one ended episode. The prompt runs up to what the expert gave, the completion from there
 * to the next intervention or the end. An episode nobody stepped into is one row. Only episodes the verifier called
 * complete; what was dropped is counted by rule.
 */
export function sftRows(record: EpisodeRecord, whole: (text: Text) => string): Made<SftRow> {
  if (!isCompleted(record)) return { rows: [], dropped: { [dropRule(record)]: 1 } };
  if (lacksWords(record)) return { rows: [], dropped: { no_transcript: 1 } };
  const told = toldConversation(record, whole);
  const tools = told?.tools ?? functionTools(record.offered);
  const messages = told?.messages ?? chatRows(record.messages, whole);
  const cuts = told === null ? cutsOf(record) : toldCuts(record, told.messages, whole);
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
  return soloCut(record.messages);
}

/** A client's conversation has no marks of ours: advice is found by its own words, where the agent read them. */
function toldCuts(record: EpisodeRecord, messages: ChatRow[], whole: (text: Text) => string): Cut[] {
  const cuts = record.consultations.flatMap(({ id, turn, decision, delivered }): Cut[] => {
    if (decision?.type !== 'approved' || delivered === null) return [];
    const words = safeText(whole(delivered.text)).trim();
    const at = messages.findIndex(
      ({ role, content }) =>
        role !== 'assistant' && words !== '' && content.includes(words.slice(0, READ_MIN)),
    );
    const { actor, act, privilege } = decision;
    return at === -1 ? [] : [{ at: at + 1, consultation: id, turn, actor, act, privilege }];
  });
  return cuts.length > 0 ? cuts.toSorted((a, b) => a.at - b.at) : soloCut(messages);
}

/** Clients cut what their agents read: the beginning is there in any case. */
const READ_MIN = 1000;

const soloCut = (messages: readonly { role: string }[]): Cut[] => {
  const at = messages.findIndex(({ role }) => role === 'assistant');
  const actor: Actor = { type: 'agent', id: null };
  return at === -1 ? [] : [{ at, consultation: '', turn: 0, actor, act: 'solo', privilege: [] }];
};

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
