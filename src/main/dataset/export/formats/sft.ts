// TRL prompt-completion rows: a conversation cut at every step-in.
import type { Format, MadeRow, EpisodeInput } from '../format.ts';
import { taughtSpans, type TaughtSpan, actOfEpisode } from '../cuts.ts';
import {
  rowFacts,
  identityOf,
  messageColumns,
  originWith,
  provenance,
  PROVENANCE,
  type RowOrigin,
  turnOrigin,
  episodePrivilege,
} from '../rowFacts.ts';
import { asRead, isReadAlike, type TranscriptLine } from '../transcriptLine.ts';
import {
  chatRows,
  dropFailed,
  replyInstead,
  rowsOfConversation,
  type TrainingConversation,
  createTally,
} from '../trainingConversation.ts';
import type { ExportRules, Preset } from '../../../../shared/contract/export.ts';
import type { EpisodeRecord, Consultation } from '../../../../shared/episode/record.ts';
import { AGENT, isAtSeat, inheritPrivilege, seatActor } from '../../../../shared/events/actor.ts';
import { helpOf } from '../../../../shared/episode/help.ts';
import { ASK_EXPERT } from '../../../../shared/wire.ts';
import { advisedFacts, knownTools, advisorQuestion, moveOutcomes } from '../outcomes.ts';
import { safeText } from '../json.ts';

/**
 * A row for each stretch of the agent's own moves, and of a person's who had taken over. A reply that must not train
 * ends a completion and stands in the prompt of the next: TRL has no weight for a single message.
 */
export const sft: Format = {
  id: 'sft',
  verdict: 'completed',
  columns: [...messageColumns('prompt', 'completion', 'tools'), ...PROVENANCE],
  says:
    'TRL prompt-completion. Each row is cut at a step-in: `prompt` runs up to what a person or the advisor gave, ' +
    '`completion` from there to the next step-in, to a reply that must not train, or to the end. `act` says what it ' +
    'follows on; an episode nobody stepped into is one row with `act` "solo", and `act` "label" is what a person would ' +
    'have done at that point. A call that a person changed stands as it took effect. Prompts hold the replies that ' +
    'must not train: not for a trainer that trains them, as prime-rl does. Train with completion-only loss, and with ' +
    'assistant-only loss where the chat template has it: completions hold tool results between the replies.',
  rows: (input, rules) =>
    rowsOfConversation(input, rules, (conversation, tally) => {
      const { stretches, empty } = taughtSpans(input.record, conversation.transcript.lines);
      empty.forEach(tally.drop);
      for (const stretch of stretches.flatMap((one) => readAlike(conversation.transcript.lines, one))) {
        const parts = promptAndCompletion(conversation, stretch);
        const by = spanOrigin(stretch);
        tally.take(typeof parts === 'string' ? parts : completionRow(conversation, { ...parts, by }, rules));
      }
      dropFailed(conversation, tally);
      conversation.transcript.lines.forEach((_line, at) =>
        tally.take(labelRow(input, conversation, at, rules)),
      );
    }),
};

type Completion = {
  read: TranscriptLine[];
  taught: TranscriptLine[];
  by: RowOrigin;
  /** What somebody said of it, for KTO. */
  judged?: { label: boolean; source: string };
};

/**
 * The parts of a stretch that a row can show as they were read: where the model did not read all reasoning of a part again,
 * or more than it, another begins.
 */
function readAlike(lines: readonly TranscriptLine[], stretch: TaughtSpan): TaughtSpan[] {
  const parts = [stretch];
  for (let at = stretch.from; at < stretch.to; at += 1) {
    const { from } = parts.at(-1) ?? stretch;
    if (isReadAlike(lines, at, lines[from]?.recalls ?? 0)) continue;
    parts.push({ ...stretch, from: at, turn: lines[at]?.turn ?? 0 });
  }
  return parts.map((part, i) => ({ ...part, to: parts[i + 1]?.from ?? stretch.to }));
}

/** The row of a prompt that is read and a completion that is taught. */
export function completionRow(
  { record, tools, isStripped }: TrainingConversation,
  { read: before, taught, by, judged }: Completion,
  rules: ExportRules,
): MadeRow {
  const read = asRead(before, taught[0]);
  const origin = originWith(record, by, [...read, ...taught]);
  const prompt = chatRows(read, rules);
  const completion = chatRows(taught, rules);
  const whence = provenance(record, origin);
  const facts = { origin, read, taught, tools, isStripped };
  if (judged === undefined) {
    const identity = identityOf(prompt, completion, tools);
    return {
      row: { prompt, completion, tools, ...whence },
      facts: rowFacts(record, { ...facts, identity }),
    };
  }
  const { label, source } = judged;
  const [identity, opposite] = [label, !label].map((one) => identityOf(prompt, completion, one));
  return {
    row: { prompt, completion, label, tools, source, ...whence },
    facts: rowFacts(record, {
      ...facts,
      identity: identity ?? '',
      label: String(label),
      judged: { opposite: opposite ?? '', isDirect: source !== 'verdict' },
    }),
  };
}

/** Prompt and completion of a stretch, or the rule that leaves it out. Without its expert it may begin later. */
export function promptAndCompletion(
  conversation: TrainingConversation,
  { from, to }: TaughtSpan,
): { read: TranscriptLine[]; taught: TranscriptLine[] } | string {
  const refused = conversation.refuses(to);
  if (refused !== null) return refused;
  const rest = conversation.part(from, to);
  const first = rest.findIndex(({ kind }) => kind === 'reply');
  if (first === -1) return 'only_asked';
  const read = [...conversation.part(0, from), ...rest.slice(0, first)];
  if (!read.some(({ role }) => role !== 'system')) return 'no_prompt';
  return { read, taught: rest.slice(first, rest.findLastIndex(({ kind }) => kind === 'reply') + 1) };
}

export const spanOrigin = ({ consultation, ...span }: TaughtSpan): RowOrigin => ({
  ...turnOrigin(consultation?.turn ?? span.turn, span.act, span),
  consultation: consultation?.id ?? null,
});

/** The expert's label at a state the agent reached; the agent was not interrupted. */
function labelRow(
  input: EpisodeInput,
  conversation: TrainingConversation,
  at: number,
  rules: ExportRules,
): MadeRow | string | null {
  const line = conversation.transcript.lines[at];
  const turn = line?.of ?? null;
  const label = turn?.label ?? null;
  if (line === undefined || turn === null || label === null || label.agrees) return null;
  if (conversation.part(at, at + 1).length === 0) return null;
  const refused = conversation.refuses(at);
  if (refused !== null) return refused;
  const reply = replyInstead(conversation, line, label.move);
  const read = conversation.before(at);
  if (reply === null || !read.some(({ role }) => role !== 'system')) return 'no_prompt';
  const taught: TranscriptLine = { ...line, ...reply, by: label.actor, untrainable: null, isTimeout: false };
  const by = turnOrigin(line.turn, 'label', label);
  const row = completionRow(conversation, { read, taught: [taught], by }, rules);
  // Of the pair that the label makes with the agent's own move.
  row.facts.sides = moveOutcomes(input, turn, label.move);
  return row;
}

const MESSAGE_COLUMNS = [...messageColumns('messages', 'tools'), ...PROVENANCE];

/** A row an episode. TRL trains on every reply of `messages`: an episode with one that must not train is left out. */
export const sftMessages: Format = {
  id: 'sft_messages',
  verdict: 'completed',
  columns: MESSAGE_COLUMNS,
  says:
    'TRL messages: a whole conversation a row. Train with `assistant_only_loss=True`, which needs a chat template that ' +
    'marks the assistant’s words. TRL has no weight for a single message, so an episode with a reply that must not ' +
    'train (turned down, malformed, refused by Interject or the environment, a person’s own, set aside, labelled as ' +
    'wrong) is left out under a rule that says so; `sft` keeps the rest of such episodes. A call that a person changed ' +
    'stands as it took effect.',
  rows: (input, rules) => wholeRows(input, rules),
};

/** `leavesOut` gives a rule against an episode, or null. */
function wholeRows(
  input: EpisodeInput,
  rules: ExportRules,
  leavesOut: (record: EpisodeRecord, lines: readonly TranscriptLine[]) => string | null = () => null,
): ReturnType<Format['rows']> {
  return rowsOfConversation(input, rules, (conversation, tally) => {
    const end = conversation.transcript.lines.length;
    const lines = conversation.part(0, end);
    const refused = conversation.refuses(end) ?? leavesOut(input.record, lines);
    tally.take(refused ?? wholeRow(conversation, lines, rules));
  });
}

function wholeRow(
  { record, tools, isStripped }: TrainingConversation,
  lines: readonly TranscriptLine[],
  rules: ExportRules,
): MadeRow | string {
  const bad = lines.find(({ untrainable }) => untrainable !== null)?.untrainable ?? null;
  // What was copied into a branch is whole in the episode it came from.
  if (bad !== null) return bad === 'copied' ? 'copied' : `untrainable_${bad}`;
  const taught = lines.slice(0, lines.findLastIndex(({ kind }) => kind === 'reply') + 1);
  if (taught.length === 0) return 'nothing_follows';
  const first = taught.findIndex(({ kind }) => kind === 'reply');
  if (!taught.slice(0, first).some(({ role }) => role !== 'system')) return 'no_prompt';
  if (rules.reasoning && !taught.every((_line, at) => isReadAlike(taught, at, 0))) return 'reasoning_unread';
  const messages = chatRows(taught, rules);
  const by = { actor: AGENT, privilege: episodePrivilege(record) };
  const origin = turnOrigin(null, actOfEpisode(record), by);
  return {
    row: { messages, tools, ...provenance(record, origin) },
    facts: rowFacts(record, {
      origin,
      identity: identityOf(messages, tools),
      read: taught.slice(0, first),
      taught: taught.slice(first),
      isStripped,
      tools,
    }),
  };
}

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
  rows: (input, rules) => wholeRows(input, rules, helpIn),
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
  rows: (input) => {
    const tally = createTally();
    const { record, loadText } = input;
    for (const consultation of record.consultations) {
      const { decision, turn, id } = consultation;
      if (consultation.askedN <= record.copiedN) tally.drop('copied');
      else if (decision === null) tally.drop('unanswered');
      else if (consultation.purpose !== 'advice') tally.drop('no_advice_wanted');
      else if (decision.type !== 'approved') tally.drop(decision.type);
      else {
        const origin = { ...turnOrigin(turn, decision.act, decision), consultation: id };
        tally.take(
          advisorRow(input, consultation, { advice: loadText(decision.text), origin, isLate: false }),
        );
      }
    }
    for (const { consultation: id, text, privilege } of input.late()) {
      const consultation = record.consultations.find((one) => one.id === id);
      if (consultation === undefined) continue;
      const by = {
        actor: seatActor(null),
        privilege: inheritPrivilege(privilege, consultation.privilege),
      };
      const origin = { ...turnOrigin(consultation.turn, 'late', by), consultation: id };
      tally.take(advisorRow(input, consultation, { advice: loadText(text), origin, isLate: true }));
    }
    return tally.made();
  },
};

function advisorRow(
  input: EpisodeInput,
  consultation: Consultation,
  { advice, origin, isLate }: { advice: string; origin: RowOrigin; isLate: boolean },
): MadeRow | string {
  const { record, loadText } = input;
  const { decision } = consultation;
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
      leaked: !isLate && decision?.type === 'approved' ? (decision.leak?.count ?? -1) : -1,
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
  'failed',
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
  const read = conversation.before(at);
  if (!read.some(({ role }) => role !== 'system')) return 'no_prompt';
  const label = line.move?.type === 'ask_expert' ? 'ask' : 'act';
  const prompt = chatRows(read, rules);
  // The decision is the agent's own; the prompt may hold what others had given by then.
  const privilege = episodePrivilege(conversation.record, line.of === null ? undefined : line.turn);
  const by = turnOrigin(line.turn, label, { actor: AGENT, privilege });
  const origin = { ...by, consultation: line.consultation };
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
