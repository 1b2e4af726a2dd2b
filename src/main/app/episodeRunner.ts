// Builds what runs episodes and consults people and models in them, on the services.
import { createAdvisor } from '../advisor/advisor.ts';
import { type Consult, createConsult } from '../episode/consult.ts';
import { openingOf } from '../episode/openingEvents.ts';
import { createRunEpisode, type RunEpisode } from '../episode/runEpisode.ts';
import type { RunSpec } from '../episode/stage.ts';
import { policyFor } from '../episode/policyFor.ts';
import { createSupervisor, type Supervisor } from '../episode/supervisor.ts';
import { createReview, type ReviewRoom } from '../review/review.ts';
import { agentNow, promptsOf, type Services } from './services.ts';
import type { AppConfig, AppEdges } from './types.ts';

export function buildConsult(
  { resources }: AppConfig,
  { clock, newId }: AppEdges,
  { log, desk, seats, llm, knowledge, measureLeak, rosterOf, settings }: Services,
): Consult {
  const advisor = createAdvisor({
    llm: (profile) => llm('expert', profile),
    ...knowledge,
    prompts: promptsOf(resources),
  });
  const attendance = {
    isAttended: (episode: string) => seats.isAttended(episode),
    returning: () => seats.expected.wait(),
    load: () => ({
      waiting: log.projections.desk(1).total,
      onDuty: seats.onDuty().length,
      minutes: log.projections.activeMinutes(clock() - PEOPLE_WINDOW_MS),
    }),
  };
  const isOnDuty = (seat: string): boolean => seats.onDuty().includes(seat);
  const routing = { rosterOf, isOnDuty, clock };
  const consult = createConsult({ log, advisor, desk, attendance, newId, measureLeak, routing });
  return {
    ...consult,
    redraft: (episode, ...how) =>
      settings.ofCommands.asEpisode(episode, () => consult.redraft(episode, ...how)),
  };
}

export const reviewOf = ({ log }: Services, { clock, monotonic, newId }: AppEdges): ReviewRoom =>
  createReview({ log, clock, monotonic, newId });

const PEOPLE_WINDOW_MS = 60 * 60 * 1000;
export function buildSupervisor(
  config: AppConfig,
  edges: AppEdges,
  { log, desk, llm, environmentOf, knowledge, settings }: Services,
  consult: Consult,
): Supervisor {
  const prompts = promptsOf(config.resources);
  const pricesOf = ({ agent }: RunSpec) => settings.pricesFor(agent);
  const opening = { prompts, pricesOf, agentNow: (profile?: string) => agentNow(settings, profile) };
  const play = createRunEpisode({
    ...opening,
    log,
    consult,
    policyFor: (spec, task) =>
      policyFor(spec, task, (environment, asked) => environmentOf(environment).taskSecrets(asked), llm),
    desk,
    environmentOf,
    prepareCriteria: (id, signal) => void knowledge.knowledge(id, signal).catch(() => undefined),
    clock: edges.clock,
    monotonic: edges.monotonic,
    retry: { sleep: edges.sleep, random: edges.random },
  });
  const { newId, turn } = edges;
  const runEpisode: RunEpisode = (id, ...how) => settings.ofCommands.keepFor(id, () => play(id, ...how));
  const openingFor = (spec: RunSpec) => openingOf(opening, spec);
  return createSupervisor({
    log,
    runEpisode,
    newId,
    turn,
    clock: edges.clock,
    openingOf: openingFor,
    places: config.places,
    // A command ends when its own work does, and its episodes with it.
    leavesOpen: config.afterCrash !== 'leave',
  });
}
