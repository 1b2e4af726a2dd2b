// Figures of each expert: what it was asked, what became of it, and what it took. Derived from records; never stored.
import { isCopiedAt } from '../episode/branch.ts';
import type { Consultation, Draft, EpisodeRecord } from '../episode/record.ts';
import { timeAway } from '../episode/restarts.ts';
import { medianOf } from '../statistics/means.ts';
import { plainName } from './roster.ts';
import { uptakeOf, type UptakeVerdict } from '../episode/uptake.ts';

export type ExpertFigures = {
  expert: string;
  /** Questions that went to it, and how many of them because the agent named it. */
  asked: number;
  named: number;
  /** Questions it gave advice on, and declined. */
  answered: number;
  declined: number;
  /** Its drafts, and what people did with them; a model's own answer is nobody's decision about its draft. */
  drafts: {
    made: number;
    failed: number;
    accepted: number;
    edited: number;
    declined: number;
    unused: number;
  };
  /** Whether agents did what its advice asks for; advice without calls to compare counts nowhere. */
  uptake: Record<UptakeVerdict, number>;
  /** Ended episodes with a verdict in which it gave advice. */
  outcomes: { episodes: number; complete: number };
  /** Half of its answers came within this time, without what the program was away; null without an answer. */
  median_answer_ms: number | null;
  /** Of its model. `unknown`: requests whose tokens the server did not say. */
  tokens: { input: number; output: number; unknown: number };
};

type Tally = Omit<ExpertFigures, 'median_answer_ms'> & { waits: number[] };

const emptyTally = (expert: string): Tally => ({
  expert,
  asked: 0,
  named: 0,
  answered: 0,
  declined: 0,
  drafts: { made: 0, failed: 0, accepted: 0, edited: 0, declined: 0, unused: 0 },
  uptake: { followed: 0, partly: 0, ignored: 0, contradicted: 0 },
  outcomes: { episodes: 0, complete: 0 },
  tokens: { input: 0, output: 0, unknown: 0 },
  waits: [],
});

/** Counts episode by episode, so that no two records need to be at hand at once. */
export function createExpertFigures() {
  const tallies = new Map<string, Tally>();
  const of = (expert: string): Tally => {
    const tally = tallies.get(plainName(expert)) ?? emptyTally(expert);
    tallies.set(plainName(expert), tally);
    return tally;
  };
  return {
    add: (record: EpisodeRecord): void => {
      const own = record.consultations.filter(
        ({ askedN, routed }) => routed !== null && !isCopiedAt(record, askedN),
      );
      for (const one of own) addConsultation(of, record, one);
      addOutcome(of, record, own);
    },
    /** In the order in which they were first asked; the roster's own come first, asked or not. */
    all: (roster: readonly string[] = []): ExpertFigures[] => {
      const own = roster.map((expert) => ({ ...figuresOf(of(expert)), expert }));
      const names = new Set(roster.map(plainName));
      const others = [...tallies].flatMap(([name, tally]) => (names.has(name) ? [] : [figuresOf(tally)]));
      return [...own, ...others];
    },
  };
}

type TallyOf = (expert: string) => Tally;

function addConsultation(of: TallyOf, record: EpisodeRecord, one: Consultation): void {
  const { routed, decision, drafts } = one;
  if (routed !== null && routed.expert !== null) {
    of(routed.expert).asked += 1;
    if (routed.by === 'name') of(routed.expert).named += 1;
  }
  for (const draft of drafts) if (draft.expert !== undefined) addDraft(of(draft.expert), one, draft);
  const failed = one.draftFailure !== null && drafts.length === 0 ? routed?.drafter : null;
  if (failed !== null && failed !== undefined) of(failed).drafts.failed += 1;
  if (decision?.type === 'declined' && decision.expert !== undefined) of(decision.expert).declined += 1;
  if (decision?.type !== 'approved' || decision.expert === undefined) return;
  const tally = of(decision.expert);
  tally.answered += 1;
  tally.waits.push(decision.at - one.askedAt - timeAway(record, one.askedAt, decision.at));
  const uptake = uptakeOf(record, one);
  if (uptake !== null) tally.uptake[uptake.verdict] += 1;
}

function addDraft(tally: Tally, { decision }: Consultation, draft: Draft): void {
  const { drafts, tokens } = tally;
  drafts.made += 1;
  const fate = draftFate(decision, draft);
  if (fate !== null) drafts[fate] += 1;
  const { input_tokens: input = null, output_tokens: output = null } = draft.usage ?? {};
  tokens.input += input ?? 0;
  tokens.output += output ?? 0;
  if (input === null || output === null) tokens.unknown += 1;
}

function draftFate(
  decision: Consultation['decision'],
  { id }: Draft,
): 'accepted' | 'edited' | 'declined' | 'unused' | null {
  if (decision?.type === 'declined') return 'declined';
  if (decision?.type !== 'approved' || decision.actor.type === 'model') return null;
  if (decision.draft !== id) return 'unused';
  return decision.act === 'accept' ? 'accepted' : 'edited';
}

function addOutcome(of: TallyOf, { ended, verified }: EpisodeRecord, own: readonly Consultation[]): void {
  const label = ended === null ? null : (ended.reward_type ?? verified?.reward_type ?? null);
  if (label === null) return;
  const answered = own.flatMap(({ decision }) =>
    decision?.type === 'approved' && decision.expert !== undefined ? [decision.expert] : [],
  );
  for (const expert of new Set(answered)) {
    of(expert).outcomes.episodes += 1;
    if (label === 'complete') of(expert).outcomes.complete += 1;
  }
}

const figuresOf = ({ waits, ...tally }: Tally): ExpertFigures => ({
  ...tally,
  median_answer_ms: medianOf(waits),
});
