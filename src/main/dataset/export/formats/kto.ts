// Owns: TRL unpaired preference rows: one reply, or one whole way of doing the task, and whether it was good.
import type { ExportRules } from '../../../../shared/contract/export.ts';
import { stretchesOf } from '../cuts.ts';
import type { Format, MadeRow } from '../format.ts';
import type { Line } from '../line.ts';
import { asTaught, promptOf } from '../points.ts';
import type { Reply } from '../replies.ts';
import { factsOf, identityOf, messageColumns, provenance, PROVENANCE, type Origin } from '../rowFacts.ts';
import { chatRows, insteadOf, rowsOfTalk, type Talk } from '../talk.ts';
import { originOf, partsOf } from './sft.ts';

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
    'through, or turned it down, or put another in its place), "label" (what a person would have done), "verdict" ' +
    '(the verifier’s complete, or anything else it said; the completion runs from the last step-in to the end). ' +
    'KTO needs both labels: balance the classes. Labels come from decisions and verdicts, never from the size of a ' +
    'reward.',
  rows: (told, rules) =>
    rowsOfTalk(told, rules, (talk, tally) => {
      for (const judged of judgements(talk)) tally.take(replyMade(talk, judged, rules));
      tally.take(verdictRow(talk, rules));
    }),
};

type Judged = { at: number; reply: Reply; label: boolean; source: 'approval' | 'label'; origin: Origin };

function judgements(talk: Talk): Judged[] {
  return talk.story.lines.flatMap((line, at): Judged[] => {
    if (line.kind !== 'reply' || line.untrainable === 'copied') return [];
    return [...approvals(line, at), ...labels(talk, line, at)];
  });
}

/** A call nobody decided about in time is no judgement, nor is one that was set aside. */
function approvals(line: Line, at: number): Judged[] {
  const decision = line.of?.call?.decision ?? null;
  if (decision === null || decision.type === 'expired' || decision.type === 'cancelled') return [];
  const privilege = decision.privilege ?? 'unknown';
  const actor = decision.actor.type;
  const source = 'approval' as const;
  const of = (act: string): Origin => ({ consultation: null, turn: line.turn, actor, act, privilege });
  switch (decision.type) {
    case 'approved':
      return [{ at, reply: line, label: true, source, origin: of('approved') }];
    case 'rejected':
      return [{ at, reply: line, label: false, source, origin: of('rejected') }];
    case 'edited':
      return [
        ...(line.proposed === null
          ? []
          : [{ at, reply: line.proposed, label: false, source, origin: of('edited_call') }]),
        { at, reply: line, label: true, source, origin: of('edited_call') },
      ];
    case 'answered':
      return [];
  }
}

function labels(talk: Talk, line: Line, at: number): Judged[] {
  const label = line.of?.label ?? null;
  if (label === null) return [];
  const { actor, privilege, agrees, move } = label;
  const origin = { consultation: null, turn: line.turn, actor: actor.type, act: 'label', privilege };
  const source = 'label' as const;
  const instead = agrees ? null : insteadOf(talk, line, move);
  return [
    { at, reply: line.proposed ?? line, label: agrees, source, origin },
    ...(instead === null ? [] : [{ at, reply: instead, label: true, source, origin }]),
  ];
}

function replyMade(
  talk: Talk,
  { at, reply, label, source, origin }: Judged,
  rules: ExportRules,
): MadeRow | string {
  const read = promptOf(talk, { at, pair: 'label', chosen: reply, rejected: reply, origin });
  if (typeof read === 'string') return read;
  return rowOf(talk, { read, taught: [asTaught(talk, { at }, reply)], label, source, origin }, rules);
}

/** What the verifier said is about the end; of an episode with step-ins, about what followed the last. */
function verdictRow(talk: Talk, rules: ExportRules): MadeRow | string {
  const said = talk.record.ended?.rewardType ?? '';
  if (!VERDICTS.has(said)) return 'not_verified';
  const stretch = stretchesOf(talk.record, talk.story.lines).stretches.at(-1);
  if (stretch === undefined || stretch.act === 'take_over') return 'nothing_follows';
  const parts = partsOf(talk, stretch);
  if (typeof parts === 'string') return parts;
  const origin = originOf(stretch);
  return rowOf(talk, { ...parts, label: said === 'complete', source: 'verdict', origin }, rules);
}

const VERDICTS: ReadonlySet<string> = new Set(['complete', 'incomplete', 'others']);

type Made = { read: Line[]; taught: Line[]; label: boolean; source: string; origin: Origin };

function rowOf(talk: Talk, { read, taught, label, source, origin }: Made, rules: ExportRules): MadeRow {
  const prompt = chatRows(read, rules.arguments);
  const completion = chatRows(taught, rules.arguments);
  const identity = identityOf(prompt, completion, label);
  return {
    row: { prompt, completion, label, tools: talk.tools, source, ...provenance(talk.record, origin) },
    facts: factsOf(talk.record, {
      origin,
      identity,
      read,
      taught,
      label: String(label),
      isStripped: talk.isStripped,
    }),
  };
}
