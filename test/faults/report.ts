// Compares the log with what outsiders were promised, prints the figures, and names what was not kept.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { checkLog } from './checks.ts';
import type { ExpertAnswers, TappedSteps } from './clients.ts';
import type { DamageFinding } from './damage.ts';
import { deliveriesOf, type Deliveries } from './deliveries.ts';

export type Promised = { tapped: TappedSteps; expert: ExpertAnswers; damages: DamageFinding[] };

const say = (text: string): void => void process.stdout.write(`${text}\n`);
export const logOf = ({ home }: Pick<Bench, 'home'>): string => join(home, 'interject.db');

export const deliveriesNow = (bench: Bench, expert: ExpertAnswers): Deliveries =>
  deliveriesOf(bench.acknowledged, { path: logOf(bench), seenByModel: bench.model.delivered, expert });

/** Resolves with the number of violations. */
export function report(bench: Bench, { tapped, expert, damages }: Promised): number {
  const { acknowledged, counting, violations, faults } = bench;
  const found = checkLog(logOf(bench), acknowledged, tapped);
  const { byModel, byClient, explained, unexplained } = deliveriesNow(bench, expert);
  const twice = [...counting.calls].filter(([, times]) => times > 1);
  const times = [...faults.values()].reduce((sum, one) => sum + one, damages.length);
  const killed = [...faults].reduce((sum, [kind, one]) => sum + (kind.endsWith('killed') ? one : 0), 0);
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
    ['  of own agents, seen by their model', byModel],
    ['  of /v1, read by the client that asked', byClient],
    ...[...explained].map(([cause, one]): [string, number] => [`  read by nobody: ${cause}`, one]),
    ['  read by nobody, and nothing says why', unexplained.length],
    ['answers lost', found.lost.length],
    ['answers in the log twice', found.doubled.length],
    ['answers given to another question', expert.wrong.length],
    ['calls counted by the environment', counting.calls.size],
    ['calls sent twice', twice.length],
    ['episodes interrupted', found.interrupted],
    ['episodes that went on by themselves', found.wentOn],
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
    ...unexplained.map((one) => `acknowledged and never delivered: ${JSON.stringify(one)}`),
    ...expert.wrong.map((one) => `another question’s answer: ${one}`),
    ...twice.map(([nonce, sent]) => `call ${nonce} was sent ${String(sent)} times`),
    ...(found.unexplainedSteps === 0 ? [] : ['steps of the tap are missing without a recorded gap']),
    ...damages.filter(({ isClear }) => !isClear).map(({ damage, said }) => `${damage}: ${said}`),
  ];
  for (const one of broken.slice(0, 20)) say(`VIOLATION ${one}`);
  say(
    broken.length === 0 ? 'Everything that was promised was kept.' : `${String(broken.length)} violations.`,
  );
  return broken.length;
}
