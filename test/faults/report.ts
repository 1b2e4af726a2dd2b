// Compares the log with what outsiders were promised, prints the figures, and names what was not kept.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { checkLog, type LogFindings } from './checks.ts';
import type { Acknowledged, TappedSteps } from './clients.ts';
import type { DamageFinding } from './damage.ts';
import { deliveriesOf, type Deliveries } from './deliveries.ts';
import { isKill } from './kinds.ts';
import type { ExpertAnswers } from './rollouts.ts';

export type Promised = {
  tapped: TappedSteps;
  expert: ExpertAnswers;
  damages: DamageFinding[];
  deliveries: Deliveries;
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);
export const logOf = ({ home }: Pick<Bench, 'home'>): string => join(home, 'interject.db');

export const deliveriesNow = (bench: Bench, expert: ExpertAnswers): Deliveries =>
  deliveriesOf(bench.acknowledged, { path: logOf(bench), seenByModel: bench.model.delivered, expert });

/** Resolves with the number of violations. */
export function report(bench: Bench, { tapped, expert, damages, deliveries }: Promised): number {
  const { acknowledged, counting, free, violations, faults } = bench;
  const calls = new Map([...counting.calls, ...free.calls]);
  const found = checkLog(logOf(bench), acknowledged, tapped, calls);
  const { byModel, byClient, explained, waiting, unexplained } = deliveries;
  const mixed = [...expert.wrong, ...mixedNames(acknowledged, expert, found)];
  const { twice, ...made } = found.calls;
  const times = [...faults.values()].reduce((sum, one) => sum + one, damages.length);
  const killed = [...faults].reduce((sum, [kind, one]) => sum + (isKill(kind) ? one : 0), 0);
  for (const [kind, one] of faults) say(`  ${kind}: ${String(one)}`);
  for (const kind of bench.notInjected) say(`  ${kind}: not injected`);
  for (const { damage, said } of damages) say(`  ${damage}: ${said}`);
  const figures: [string, number][] = [
    ['faults injected', times],
    ['  of these kills', killed],
    ['seconds', Math.round(performance.now() / 1000)],
    ['events in the log', found.events],
    ['MB of the log', Math.ceil(statSync(logOf(bench)).size / 1e6)],
    ['answers acknowledged', acknowledged.length],
    ['  in episodes of the tap', found.insideTapped],
    ['  of own agents, seen by their model', byModel],
    ['  of /v1, read by the client that asked', byClient],
    ...[...explained].map(([cause, one]): [string, number] => [`  read by nobody: ${cause}`, one]),
    ['  read by nobody: its episode still waits for a word', waiting.length],
    ['  read by nobody, and nothing says why', unexplained.length],
    ['answers delivered', byModel + byClient],
    ['answers lost', found.lost.length + waiting.length + unexplained.length],
    ['answers in the log twice', found.doubled.length],
    ['answers of /v1 read again by their name', expert.readAgain],
    ['answers given to another rollout', mixed.length],
    ['calls counted by the environments', calls.size],
    ['  made again in a new session', made.replayed],
    ['  in doubt, sent again by a person’s word', made.sentAgain],
    ['  in doubt, left unknown by a person’s word', made.leftUnknown],
    ['calls sent twice', twice.length],
    ['own episodes that a restart ended', found.interrupted.length],
    ['episodes that went on by themselves', found.wentOn],
    ['episodes that went on by a person’s word', found.wentOnByWord],
    ['gaps in the numbers of a stream', found.gaps.length],
    ['steps answered to the client of the tap', tapped.answered.flat().length],
    ['gaps of the recording', found.recordedGaps],
    ['steps missing without a recorded gap', found.unexplainedSteps],
  ];
  for (const [what, figure] of figures) say(`${what}: ${figure.toLocaleString('en')}`);
  const broken = [
    ...violations,
    ...(found.integrity === 'ok' ? [] : [`SQLite says: ${found.integrity}`]),
    ...found.gaps,
    ...found.lost.map((one) => `lost: ${JSON.stringify(one)}`),
    ...found.doubled.map((one) => `twice: ${JSON.stringify(one)}`),
    ...found.interrupted.map((one) => `a restart ended an episode: ${one}`),
    ...unexplained.map((one) => `acknowledged and never delivered: ${JSON.stringify(one)}`),
    ...waiting.map((one) => `the word was given, and it still waits: ${JSON.stringify(one)}`),
    ...mixed.map((one) => `another rollout’s answer: ${one}`),
    ...twice,
    ...(found.unexplainedSteps === 0 ? [] : ['steps of the tap are missing without a recorded gap']),
    ...damages.filter(({ isClear }) => !isClear).map(({ damage, said }) => `${damage}: ${said}`),
  ];
  for (const one of broken.slice(0, 20)) say(`VIOLATION ${one}`);
  say(
    broken.length === 0 ? 'Everything that was promised was kept.' : `${String(broken.length)} violations.`,
  );
  return broken.length;
}

/** A name that its client gave leads to one question, and that question has no other name. */
function mixedNames(
  acknowledged: readonly Acknowledged[],
  { readers }: ExpertAnswers,
  { nameOf }: Pick<LogFindings, 'nameOf'>,
): string[] {
  const ownerOf = new Map<string, string>();
  return acknowledged.flatMap(({ consultation, text }) => {
    const name = nameOf(consultation);
    const reader = [...(readers.get(text) ?? [])][0];
    if (name === null || reader === undefined) return [];
    const owner = ownerOf.get(name) ?? reader;
    ownerOf.set(name, owner);
    return owner === reader ? [] : [`${text} was asked by ${owner} and read by ${reader}`];
  });
}
