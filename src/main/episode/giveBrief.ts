// The brief before the start: written of an earlier run of the same task, read by the agent with its task. It goes the
// road of any advice (drafted, decided, delivered), so that the desk, the log and exports know it.
import { SYSTEM } from '../../shared/events/actor.ts';
import { ADMIT_EVERYTHING } from '../../shared/events/lifecycle.ts';
import type { Baseline } from '../../shared/events/consultations.ts';
import type { EventOf, LogEvent } from '../../shared/events/vocabulary.ts';
import { messageEvent, recordOf, type EpisodeStage } from './stage.ts';

/** Waits for the brief and puts it before the agent; nothing in a condition without one. */
export async function giveBrief(stage: EpisodeStage): Promise<void> {
  const { spec, id, log } = stage;
  const baseline = spec.baseline ?? null;
  const consultation = `${id}:brief`;
  const record = recordOf(stage);
  const known = record.consultations.find((one) => one.id === consultation) ?? null;
  if (known !== null && (known.delivered !== null || record.turns.length > 0)) return;
  if (baseline === null && known === null) return;
  const gate = { admission: ADMIT_EVERYTHING, seed: id };
  const advice = await (baseline === null || known !== null
    ? stage.consult.goOn(id, consultation, gate, stage.signal)
    : stage.consult.ask(id, briefAsked(stage, consultation, baseline), gate, stage.signal));
  stage.signal.throwIfAborted();
  // A decline or a deadline leaves the agent with its task alone.
  if (advice.as !== 'advice' && advice.as !== 'draft') return;
  const delivery = stage.conversation.brief(advice.text);
  const { text, full_length, deliveredLength } = delivery.body;
  const events: LogEvent[] = [
    {
      kind: 'advice.delivered',
      consultation,
      as: advice.as,
      text,
      full_length,
      delivered_length: deliveredLength,
      privilege: advice.privilege,
      to: 'agent',
    },
    messageEvent(delivery, 0),
  ];
  log.appendAll(
    id,
    events.map((event) => ({ actor: SYSTEM, event })),
  );
}

const briefAsked = (
  { spec, clock }: EpisodeStage,
  consultation: string,
  baseline: Baseline,
): EventOf<'consultation.asked'> => ({
  kind: 'consultation.asked',
  consultation,
  turn: 0,
  call: null,
  trigger: 'brief',
  task: null,
  available_tools: null,
  question: null,
  answered_by: spec.condition === 'brief+human' ? 'human' : 'model',
  deadline_at: spec.deadline_ms === null ? null : clock() + spec.deadline_ms,
  fallback: spec.fallback,
  via: 'loop',
  request: null,
  link: null,
  baseline,
});
