// TRL unpaired preference rows: one reply, and whether it was good.
import type { ExportRules } from '../../../../shared/contract/export.ts';
import { taughtSpans } from '../cuts.ts';
import type { Format, MadeRow } from '../format.ts';
import { UNKNOWN } from '../../../../shared/events/actor.ts';
import {
  isBarred,
  isUnreadable,
  joinReplies,
  replyTurn,
  type TranscriptLine,
  together,
  type TrainingReply,
} from '../transcriptLine.ts';
import { asTaught, hasFailed, pointPrompt } from '../decisionPoints.ts';
import { messageColumns, PROVENANCE, type RowOrigin, turnOrigin } from '../rowFacts.ts';
import {
  dropFailed,
  replyInstead,
  rowsOfConversation,
  type TrainingConversation,
  type Tally,
} from '../trainingConversation.ts';
import { completionRow, spanOrigin, promptAndCompletion } from './sft.ts';

export const kto: Format = {
  id: 'kto',
  verdict: 'verified',
  columns: [
    ...messageColumns('prompt', 'completion'),
    { name: 'label', type: 'bool' },
    ...messageColumns('tools'),
    { name: 'source', type: 'string' },
    ...PROVENANCE,
  ],
  says:
    'TRL unpaired preference, for KTO. `source` says where `label` comes from: "approval" (a person let a call go ' +
    'through, or turned it down, or put another in its place), "label" (what a person would have done), "file" (what ' +
    'the file says that the episode was imported from; who said it is not recorded), "verdict" ' +
    '(the verifier’s complete, or anything else it said). A `completion` is one reply, since KTO trains on all of it: ' +
    'what came back stands in the prompts of the replies after it. A "verdict" says how the episode ended to which the ' +
    'reply belongs, not whether this reply was right: each reply after the last step-in has it, but for those that a ' +
    'person judged, whose word counts alone. A reply that is labelled both ways after the same prompt is left out, ' +
    'unless the rules take it; a judgement of that very reply outweighs a verdict and stays. KTO needs both labels. ' +
    'Labels come from decisions and verdicts, never from the size of a reward.',
  rows: (input, rules) =>
    rowsOfConversation(input, rules, (conversation, tally) => {
      dropFailed(conversation, tally);
      const judged = judgedReplies(conversation);
      for (const one of judged) tally.take(replyMade(conversation, one, rules));
      verdictRows(conversation, judged, { rules, tally });
    }),
};

type JudgedReply = {
  at: number;
  reply: TrainingReply;
  label: boolean;
  source: 'approval' | 'label' | 'file';
  origin: RowOrigin;
};

function judgedReplies(conversation: TrainingConversation): JudgedReply[] {
  const replies = conversation.transcript.lines.flatMap((line, at) =>
    line.kind === 'reply' && line.untrainable !== 'copied' ? [{ line, at }] : [],
  );
  return [...Map.groupBy(replies, ({ line }) => replyTurn(line)).values()].flatMap((calls) =>
    calls.length === 1
      ? calls.flatMap(({ line, at }) => [
          ...approvals(line, at),
          ...labels(conversation, line, at),
          ...imported(line, at),
        ])
      : ofWholeReply(conversation, calls),
  );
}

/**
 * A reply of several calls is one completion. A person who turned one of its calls down turned down the reply; one who
 * let them all through let the reply through; of one that was decided in part nobody says what it is worth.
 */
function ofWholeReply(
  conversation: TrainingConversation,
  calls: readonly { line: TranscriptLine; at: number }[],
): JudgedReply[] {
  const [first] = calls;
  if (first === undefined) return [];
  const { at } = first;
  const written = together(calls.map(({ line }) => line.proposed ?? line));
  const kept = together(
    calls.flatMap(({ line }) => (line.of?.call?.decision?.type === 'rejected' ? [] : [line])),
  );
  const decided = calls.map(({ line }) => approvals(line, at));
  const against = decided.flat().find(({ label }) => !label);
  const edited = decided.find((said) => said.length > 1)?.at(-1);
  const through = decided.every((said) => said.length > 0) ? decided[0]?.[0] : undefined;
  const whole = against ?? through;
  return [
    ...(whole === undefined ? [] : [{ ...whole, reply: written }]),
    ...(edited === undefined ? [] : [{ ...edited, reply: kept }]),
    ...imported(first.line, at).map((one) => ({ ...one, reply: written })),
    ...calls
      .flatMap(({ line }) => labels(conversation, line, at))
      .flatMap((one) =>
        !one.label
          ? [{ ...one, reply: written }]
          : calls.some(({ line }) => one.reply === (line.proposed ?? line))
            ? []
            : [one],
      ),
  ];
}

/** A call nobody decided about in time is no judgement, nor is one that was set aside. */
function approvals(line: TranscriptLine, at: number): JudgedReply[] {
  const decision = line.of?.call?.decision ?? null;
  if (decision === null || decision.type === 'expired' || decision.type === 'cancelled') return [];
  if (decision.type === 'answered') return [];
  const isEdited = decision.type === 'edited';
  const origin = turnOrigin(line.turn, isEdited ? 'edited_call' : decision.type, decision);
  const label = decision.type !== 'rejected';
  const effective: JudgedReply = { at, reply: line, label, source: 'approval', origin };
  if (!isEdited || line.proposed === null) return [effective];
  return [{ ...effective, reply: line.proposed, label: false }, effective];
}

function labels(conversation: TrainingConversation, line: TranscriptLine, at: number): JudgedReply[] {
  const label = line.of?.label ?? null;
  if (label === null) return [];
  const { agrees, move } = label;
  const origin = turnOrigin(line.turn, 'label', label);
  const source = 'label' as const;
  const instead = agrees ? null : replyInstead(conversation, line, move);
  return [
    { at, reply: line.proposed ?? line, label: agrees, source, origin },
    ...(instead === null ? [] : [{ at, reply: instead, label: true, source, origin }]),
  ];
}

/** A file's judgement of a reply: preferred or labelled true, rejected or labelled false. */
function imported(line: TranscriptLine, at: number): JudgedReply[] {
  const label = line.of?.marks?.judged;
  if (label === undefined) return [];
  const origin = turnOrigin(line.turn, 'imported', { actor: UNKNOWN });
  return [{ at, reply: line, label, source: 'file', origin }];
}

function replyMade(
  conversation: TrainingConversation,
  { at, reply, label, source, origin }: JudgedReply,
  rules: ExportRules,
): MadeRow | string | null {
  if (source === 'file' && isBarred(conversation.transcript.lines[at]?.of ?? null)) return 'marked';
  if (label && isUnreadable(reply)) return 'malformed';
  if (label && hasFailed(conversation, at, reply)) return null;
  const read = pointPrompt(conversation, { at, chosen: reply, rejected: reply });
  if (typeof read === 'string') return read;
  const taught = [asTaught(conversation, { at }, reply)];
  return completionRow(conversation, { read, taught, by: origin, judged: { label, source } }, rules);
}

/**
 * A verdict is about the end; of an episode with step-ins, about what followed the last. A row for each unjudged reply
 * of it: KTO has a loss on every token of a completion, so none may hold what the environment said.
 */
function verdictRows(
  conversation: TrainingConversation,
  judged: readonly JudgedReply[],
  { rules, tally }: { rules: ExportRules; tally: Tally },
): void {
  const verdict = conversation.record.ended?.reward_type ?? '';
  if (!VERIFIER_VERDICTS.has(verdict)) return judged.length > 0 ? undefined : tally.drop('not_verified');
  const { stretches } = taughtSpans(conversation.record, conversation.transcript.lines);
  const stretch = stretches.at(-1);
  if (stretch === undefined || stretch.act === 'take_over') return tally.drop('nothing_follows');
  const from = stretches.find(({ cut }) => cut === stretch.cut)?.from ?? stretch.from;
  const parts = promptAndCompletion(conversation, { ...stretch, from });
  if (typeof parts === 'string') return tally.drop(parts);
  const label = verdict === 'complete';
  // A reply of several calls is one completion, as it was generated.
  const read = joinReplies(parts.read);
  const all = [...read, ...joinReplies(parts.taught)];
  const { lines } = conversation.transcript;
  const judgedTurns = new Set(judged.flatMap(({ at }) => lines.slice(at, at + 1).map(replyTurn)));
  all.forEach((line, at) => {
    if (at < read.length || line.kind !== 'reply' || judgedTurns.has(replyTurn(line))) return;
    if (line.untrainable !== null) return;
    const by = { ...spanOrigin(stretch), turn: line.turn };
    const judgedBy = { label, source: 'verdict' };
    const parts = { read: all.slice(0, at), taught: [line], by, judged: judgedBy };
    tally.take(completionRow(conversation, parts, rules));
  });
}

const VERIFIER_VERDICTS: ReadonlySet<string> = new Set(['complete', 'incomplete', 'others']);
