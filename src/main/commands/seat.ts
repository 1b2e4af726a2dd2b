// A seat's view of the advice it gave: whether it was followed, and how the episode ended.
import type { Handlers } from '../../shared/contract/contract.ts';
import { INVITE_DAYS, type OwnAnswer } from '../../shared/contract/seat.ts';
import { type EpisodeRecord, taskRef } from '../../shared/episode/record.ts';
import { type Text, textHead } from '../../shared/events/text.ts';
import { parsePlan } from '../../shared/plan.ts';
import { nameOf, namesOfRecord } from '../../shared/sentences/names.ts';
import { callSentence } from '../../shared/sentences/sentence.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import { uptakeOf, uptakeTone, uptakeWords } from '../../shared/episode/uptake.ts';
import type { EventLog } from '../log/eventLog.ts';
import { veilFor } from './veil.ts';
import { Failure } from '../../shared/failure.ts';
import type { MakePlan } from '../advisor/makePlan.ts';
import { DAY_MS } from '../../shared/lengthOfTime.ts';
import type { SettingsStore } from '../settings/settings.ts';

type AnswersDependencies = { log: EventLog };

export const answerCommands = ({ log }: AnswersDependencies): Pick<Handlers, 'answers.mine'> => ({
  'answers.mine': async ({ offset, limit }, caller) => {
    const { seat } = caller;
    const { isCovered } = veilFor(log, caller);
    const { total, places } = log.projections.ownAnswers(seat, offset, limit);
    const answers = places.flatMap(({ stream, n }) => {
      const [recorded] = log.read(stream, n - 1, 1);
      return recorded === undefined ? [] : (ownAnswer(log, recorded, isCovered) ?? []);
    });
    return { total, answers };
  },
});

/** The calls of an advice in words, with the names of records that the agent had read by then. */
function stepsOf(record: EpisodeRecord, text: Text, turn: number | undefined): string[] {
  const names = nameOf(namesOfRecord(record, turn === undefined ? turn : turn + 1));
  return parsePlan(textHead(text)).calls.map(({ tool, args }) => {
    const known = record.tools.find(({ name }) => name === tool) ?? { name: tool };
    return callSentence(known, args, names).text;
  });
}

function ownAnswer(
  log: EventLog,
  { stream, at, event }: Recorded,
  isCoveredAt: (episode: string) => boolean,
): OwnAnswer | null {
  if (event.kind !== 'advice.approved' && event.kind !== 'advice.declined' && event.kind !== 'advice.late') {
    return null;
  }
  const episode = event.kind === 'advice.late' ? event.episode : stream;
  const record = log.record(episode);
  const asked = findConsultation(record, event.consultation);
  const isCovered = isCoveredAt(episode);
  const uptake =
    isCovered || asked === undefined || event.kind !== 'advice.approved' ? null : uptakeOf(record, asked);
  const text = event.kind === 'advice.declined' ? event.reason : event.text;
  return {
    episode,
    consultation: event.consultation,
    ...taskRef(record),
    task: record.reset?.task ?? null,
    at,
    act: event.kind === 'advice.approved' ? event.act : event.kind === 'advice.late' ? 'late' : 'decline',
    question: asked?.question ?? null,
    text,
    steps: event.kind === 'advice.declined' ? [] : stepsOf(record, text, asked?.turn),
    uptake: uptake === null ? null : { words: uptakeWords(uptake), tone: uptakeTone(uptake) },
    verified:
      isCovered || record.ended === null
        ? null
        : (record.ended.reward_type ?? record.verified?.reward_type ?? null),
    is_covered: isCovered,
  };
}

/** A person waits for it. */
const DEADLINE_MS = 60_000;

type PlansDependencies = { log: EventLog; makePlan: MakePlan };

export const planCommands = ({ log, makePlan }: PlansDependencies): Pick<Handlers, 'advice.make_plan'> => ({
  'advice.make_plan': async ({ episode, consultation, text }) => {
    const record = log.record(episode);
    const asked = findConsultation(record, consultation);
    if (asked === undefined) {
      throw new Failure('not_found', `episode ${episode} has no consultation ${consultation}`);
    }
    const task = record.reset?.task ?? null;
    return makePlan(
      {
        task: task === null ? '' : log.texts.loadText(task),
        question: asked.question === null ? '' : log.texts.loadText(asked.question),
        words: text,
        tools: record.tools,
      },
      AbortSignal.timeout(DEADLINE_MS),
    );
  },
});

type InvitesDependencies = {
  settings: SettingsStore;
  clock: () => number;
};
type InviteHandlers = Pick<Handlers, 'invites.create' | 'owner.renew_token'>;

export const inviteCommands = ({ settings, clock }: InvitesDependencies): InviteHandlers => ({
  'invites.create': async ({ label, days = INVITE_DAYS }, { key = null }) => {
    const now = clock();
    const expires_at = days === null ? null : now + days * DAY_MS;
    return settings.createInvite({ label, created_at: now, expires_at, made_by: key });
  },
  'owner.renew_token': async () => ({ token: settings.renewOwnerToken() }),
});
