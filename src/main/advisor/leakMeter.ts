// Gathers what the leak meter compares: the secrets of an episode's task, and what its agent had been shown before a
// question. The comparison itself is pure: src/shared/leak.ts.
import { findConsultation } from '../../shared/episode/consultations.ts';
import { type Consultation, type EpisodeRecord, taskRef } from '../../shared/episode/record.ts';
import { leakOf, secretTexts, type Leak } from '../../shared/leak.ts';
import type { BriefingOf } from '../../shared/pack.ts';
import type { EventLog } from '../log/eventLog.ts';

/** Measures the part of a text for this question that the agent could not know; null where no answer is known here. */
export type MeasureLeak = {
  (episode: string, consultation: string, text: string): Leak | null;
  /** Takes what was learnt of an episode's task from its environment's data. */
  learn?: (episode: string, secrets: readonly string[]) => void;
};

export function createLeakMeter(log: EventLog, briefing: BriefingOf): MeasureLeak {
  const learned = new Map<string, readonly string[]>();
  log.subscribe(({ stream, event }) => {
    if (event.kind === 'episode.ended') learned.delete(stream);
  });
  const measure = (episode: string, id: string, text: string): Leak | null => {
    const record = log.record(episode);
    const consultation = findConsultation(record, id) ?? null;
    const ofPack = secretsOf(log, record, consultation, briefing);
    const secrets = [...ofPack, ...(learned.get(episode) ?? [])];
    return secrets.length === 0 ? null : leakOf(text, secrets, knownTexts(log, record, consultation));
  };
  return Object.assign(measure, {
    // A person may ask for the answer key of an episode that is over: nobody is advised in it any more.
    learn: (episode: string, secrets: readonly string[]): void => {
      if (log.record(episode).ended === null) learned.set(episode, secrets);
    },
  });
}

/** The secrets of the task's briefing, and what a client's own request told of its verifier. */
function secretsOf(
  log: EventLog,
  record: EpisodeRecord,
  consultation: Consultation | null,
  briefing: BriefingOf,
): string[] {
  const { scenario, task_idx } = taskRef(record);
  const task = record.reset?.task ?? null;
  const found = briefing(scenario, task_idx, task === null ? null : log.texts.loadText(task));
  const covered = (consultation?.covered ?? []).flatMap(({ text }) =>
    text === null ? [] : [log.texts.loadText(text)],
  );
  return [...(found === null ? [] : secretTexts(found)), ...covered];
}

/** The task, the tools, and what the environment has shown the agent. */
function knownTexts(log: EventLog, record: EpisodeRecord, consultation: Consultation | null): string[] {
  const { reset, tools, offered, messages, turns } = record;
  const hasMessages = messages.some(({ origin }) => origin === 'environment');
  // A tapped client's messages are not seen; what came back for its calls is.
  const shown = hasMessages
    ? messages
        .filter(({ origin }) => origin === 'environment' || origin === 'prompt')
        .map(({ content }) => content)
    : turns.flatMap(({ call }) => [call?.returned?.text ?? null, call?.returned?.error ?? null]);
  const request = consultation === null ? null : requestWithoutSecrets(log, consultation);
  return [
    ...[reset?.task ?? null, consultation?.task ?? null, ...shown].flatMap((text) =>
      text === null ? [] : [log.texts.loadText(text)],
    ),
    JSON.stringify([tools, offered]),
    ...(request === null ? [] : [request]),
  ];
}

/** A client's request holds a mark where its criteria stood. */
const requestWithoutSecrets = (log: EventLog, { request, covered }: Consultation): string | null =>
  request === null || covered.length === 0 ? null : log.texts.loadText(request);
