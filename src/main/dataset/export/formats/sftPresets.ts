// What `sft` makes rows of instead of a step-in, by its presets: episodes nobody helped in, advice for training an advisor,
// and decisions to ask.
import { isAtSeat, inheritPrivilege } from '../../../../shared/events/actor.ts';
import type { ExportRules, Preset } from '../../../../shared/contract/export.ts';
import { helpOf } from '../../../../shared/episode/help.ts';
import type { Consultation, EpisodeRecord } from '../../../../shared/episode/record.ts';
import { ASK_EXPERT } from '../../../../shared/wire.ts';
import { advisedFacts } from '../advicePairs.ts';
import { episodePrivilege } from '../episodeFacts.ts';
import type { Format, MadeRow, EpisodeInput } from '../format.ts';
import { safeText } from '../json.ts';
import { knownTools, advisorQuestion } from '../question.ts';
import { rowFacts, identityOf, messageColumns, provenance, PROVENANCE, type RowOrigin } from '../rowFacts.ts';
import {
  chatRows,
  createTally,
  rowsOfConversation,
  type TrainingConversation,
} from '../trainingConversation.ts';
import type { TranscriptLine } from '../transcriptLine.ts';
import { conversationRow, MESSAGE_COLUMNS, wholeRow } from './sftMessages.ts';

/** Episodes in which nobody did anything but the agent: no ask, no advice, no note, no decision on a call. */
const demonstrations: Format = {
  id: 'sft',
  isVerdictFixed: true,
  verdict: 'completed',
  columns: MESSAGE_COLUMNS,
  says:
    'Episodes the verifier called complete in which the agent worked alone, as TRL messages: nothing was asked, ' +
    'advised, noted, changed, answered or taken over. For bootstrapping an agent from its own successes. Train with ' +
    '`assistant_only_loss=True`.',
  rows: (input, rules) =>
    conversationRow(input, rules, (one, lines, more) => {
      const helped = helpIn(one.record, lines);
      return helped === null ? wholeRow(one, lines, more) : helped;
    }),
};

const HELP: ReadonlySet<TranscriptLine['kind']> = new Set(['advice', 'note', 'fabricated']);

function helpIn(record: EpisodeRecord, lines: readonly TranscriptLine[]): string | null {
  if (record.consultations.length > 0 || lines.some(({ move }) => move?.type === 'ask_expert'))
    return 'asked';
  if (lines.some(({ kind, isActed }) => isActed || HELP.has(kind))) return 'helped';
  const isDecided = record.turns.some(
    ({ call, actor }) => (call?.decision ?? null) !== null || isAtSeat(actor),
  );
  if (isDecided) return 'helped';
  const { known } = helpOf(record);
  return known === 'none' ? null : known === 'advised' ? 'helped' : 'help_unknown';
}

/** A row for each advice; advice that came when the question was over is a row too, marked as late. */
const advisor: Format = {
  id: 'sft',
  verdict: 'any',
  columns: [
    ...messageColumns('prompt', 'completion'),
    { name: 'draft', type: 'string' },
    ...PROVENANCE,
    { name: 'leaked', type: 'int64' },
  ],
  says:
    'For training an advisor: `prompt` is the task, the agent’s tools, what it had tried and its question; `completion` ' +
    'is the advice that was given in the end, by the actor that `actor` names; `draft` is what had been drafted, empty ' +
    'where nothing was. Nothing of the answer key stands in the prompt: `privilege` says what the author had seen ' +
    'beyond it, so advice with privilege teaches an advisor to guess what it cannot know. `leaked` counts the values of ' +
    'the answer in the advice that the agent could not know, -1 where that was not measured. `act` "late" came after the ' +
    'question was over.',
  rows: (input, rules) => {
    const tally = createTally();
    const { record, loadText } = input;
    const isStripped = rules.privilege === 'strip';
    for (const consultation of record.consultations) {
      const { decision, turn, id } = consultation;
      if (consultation.askedN <= record.copiedN) tally.drop('copied');
      else if (decision === null) tally.drop('unanswered');
      else if (consultation.purpose !== 'advice') tally.drop('no_advice_wanted');
      else if (decision.type !== 'approved') tally.drop(decision.type);
      else if (isStripped) tally.drop('expert_words');
      else {
        const { actor, act, privilege, text } = decision;
        const origin = { consultation: id, turn, actor: actor.type, act, privilege };
        tally.take(advisorRow(input, consultation, { advice: loadText(text), origin, isLate: false }));
      }
    }
    for (const { consultation: id, text, privilege } of input.late()) {
      const consultation = record.consultations.find((one) => one.id === id);
      if (consultation === undefined) continue;
      if (isStripped) {
        tally.drop('expert_words');
        continue;
      }
      const seen = inheritPrivilege(privilege, consultation.privilege);
      const origin = {
        consultation: id,
        turn: consultation.turn,
        actor: 'human' as const,
        act: 'late',
        privilege: seen,
      };
      tally.take(advisorRow(input, consultation, { advice: loadText(text), origin, isLate: true }));
    }
    return tally.made();
  },
};

const leakedOf = ({ decision }: Consultation): number =>
  decision?.type === 'approved' ? (decision.leak?.count ?? -1) : -1;

function advisorRow(
  input: EpisodeInput,
  consultation: Consultation,
  { advice, origin, isLate }: { advice: string; origin: RowOrigin; isLate: boolean },
): MadeRow | string {
  const { record, loadText } = input;
  const question = advisorQuestion(record, consultation, loadText);
  if (question === null) return 'no_question';
  const content = [knownTools(record), question].filter((text) => text !== '').join('\n\n');
  const said = safeText(advice);
  const first = consultation.draft === null ? '' : safeText(loadText(consultation.draft.text));
  return {
    row: {
      prompt: [{ role: 'user', content }],
      completion: [{ role: 'assistant', content: said }],
      draft: first,
      ...provenance(record, origin),
      leaked: isLate ? -1 : leakedOf(consultation),
    },
    facts: {
      ...advisedFacts(input, consultation, origin),
      // The advice is what was taught, whatever became of the question.
      hasTimeout: false,
      isLate,
      identity: identityOf(content, said),
      label: null,
      mask: () => [
        { role: 'user', text: content, trains: false, why: 'prompt' },
        { role: 'assistant', text: said, trains: true, why: null },
      ],
    },
  };
}

/** A row a turn of the agent's own, where it could have asked. */
const whenToAsk: Format = {
  id: 'sft',
  verdict: 'any',
  columns: [...messageColumns('prompt', 'tools'), { name: 'label', type: 'string' }, ...PROVENANCE],
  says:
    'For learning when to ask: `prompt` is the conversation up to a decision of the agent’s own, `label` is "ask" or ' +
    '"act". A person’s moves, unreadable replies, asks beyond the budget and turns copied from another episode are ' +
    'left out, and so are episodes in which there was nobody to ask. The reward and verdict of the episode stand ' +
    'beside it: they are no part of the prompt.',
  rows: (input, rules) =>
    rowsOfConversation(input, rules, (conversation, tally) => {
      if (hasNobodyToAsk(conversation)) tally.drop('nobody_to_ask');
      else
        conversation.transcript.lines.forEach((line, at) =>
          tally.take(whenToAskRow(conversation, line, at, rules)),
        );
    }),
};

/** Known of our own loop, and of a client that declares to have no other expert and told which tools its agent had. */
function hasNobodyToAsk({ record, transcript }: TrainingConversation): boolean {
  if (record.started?.condition === 'none') return true;
  const isDeclared = helpOf(record).why === 'declared' && (record.conversation?.tools ?? null) !== null;
  return isDeclared && transcript.tools.every((tool) => tool.function.name !== ASK_EXPERT);
}

const OWN_DECISIONS: ReadonlySet<TranscriptLine['untrainable']> = new Set([
  null,
  'disagreed',
  'rejected',
  'set_aside',
]);

function whenToAskRow(
  conversation: TrainingConversation,
  line: TranscriptLine,
  at: number,
  rules: ExportRules,
): MadeRow | string | null {
  if (line.kind !== 'reply') return null;
  if (!OWN_DECISIONS.has(line.untrainable) || (line.by !== null && isAtSeat(line.by)))
    return line.untrainable ?? 'person';
  const refused = conversation.refuses(at);
  if (refused !== null) return refused;
  const read = conversation.part(0, at);
  if (!read.some(({ role }) => role !== 'system')) return 'no_prompt';
  const label = line.move?.type === 'ask_expert' ? 'ask' : 'act';
  const prompt = chatRows(read, rules);
  const origin = {
    consultation: line.consultation,
    turn: line.turn,
    actor: 'agent' as const,
    act: label,
    // The decision is the agent's own; the prompt may hold what others had given by then.
    privilege: episodePrivilege(conversation.record, line.of === null ? undefined : line.turn),
  };
  const { tools, isStripped } = conversation;
  const facts = rowFacts(conversation.record, {
    origin,
    identity: identityOf(prompt, label),
    read,
    taught: [line],
    label,
    isStripped,
    tools,
    // The label alone has a loss.
    trains: () => false,
  });
  return {
    row: { prompt, tools, label, ...provenance(conversation.record, origin) },
    facts: {
      ...facts,
      // The decision is the agent's own: what became of the question says nothing of it.
      hasTimeout: read.some(({ isTimeout }) => isTimeout),
      mask: () => [
        ...facts.mask().slice(0, read.length),
        { role: 'assistant', text: label, trains: true, why: null },
      ],
    },
  };
}

export const SFT_PRESETS: Readonly<Record<Preset, Format>> = {
  demonstrations,
  advisor,
  when_to_ask: whenToAsk,
};
