// `npm run test:faults`: breaks the product at random moments while outsiders work with it, then compares its log with
// what they were promised. Ends with a code that is not 0 where anything was lost, doubled or left unexplained.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bootMain, killMain, signalTap, startEpisodes, startMain, startWorld, type Bench } from './bench.ts';
import { playThroughTap, type TappedSteps } from './clients.ts';
import { tryDamages, type DamageFinding } from './damage.ts';
import { mountDisk } from './disk.ts';
import { allFaults, drawFault, isKill, type Fault } from './kinds.ts';
import { startCountingEnvironment } from './outside.ts';
import { setClock, type Running } from './programs.ts';
import { deliveriesNow, report } from './report.ts';
import { noAnswers, playRollouts, type ExpertAnswers } from './rollouts.ts';
import { startModel } from './servers.ts';

const SHORT_KILLS = 6;
/** Without a number of kills no new fault is made after this long, counted from the first answer: a slow start takes none of it. */
const SHORT_MINUTES = 0.6;
/** Only ends a wait for outsiders who never get to work: before the first answer nothing was promised. */
const AT_WORK_MS = 180_000;
/** With this many kills the long stops are made too. */
const LONG_FROM = 100;
const LONG_STOPS = 2;
/** How many kills lie between two lines of what was reached so far. */
const KILLS_A_LINE = 25;
/** As long as answers still arrive, the end waits for more; it only ends a wait for what never comes. */
const NO_ARRIVAL_MS = 60_000;

const HELP = `npm run test:faults -- [--kills N] [--minutes M] [--seed S]
  --kills N    so many kills; from ${String(LONG_FROM)} on some stops last two minutes
  --minutes M  no new fault once M minutes have passed since the first answer; ${String(SHORT_MINUTES)} without --kills
  --seed S     the faults in the order of an earlier run`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const kills = Number(values.kills ?? SHORT_KILLS);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const minutes = Number(values.minutes ?? (values.kills === undefined ? SHORT_MINUTES : Infinity));
let until = Infinity;
const isLong = kills >= LONG_FROM;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Ctrl+C ends the breaking, and what was found until then is reported. */
let isOver = false;
process.once('SIGINT', () => (isOver = true));
const mayGoOn = (): boolean => !isOver && performance.now() < until;

/** A repeatable stream of numbers in [0, 1). */
let state = seed;
const next = (): number => {
  state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return state / 4_294_967_296;
};

/** Waits for the first answer that was promised to somebody; none at all is a violation. */
async function untilAtWork({ acknowledged, violations }: Bench): Promise<void> {
  for (const end = performance.now() + AT_WORK_MS; acknowledged.length === 0; await wait(50)) {
    if (isOver) return;
    if (performance.now() < end) continue;
    violations.push(`nobody was answered within ${String(AT_WORK_MS / 1000)} s of the start`);
    return;
  }
}

async function breakAgainAndAgain(bench: Bench): Promise<DamageFinding[]> {
  // Each kind once, in any run, and main killed before all others; then as they are drawn. The first two kill main.
  const faults = allFaults(next, isLong ? LONG_STOPS : 0);
  const due = [...shuffled(faults.slice(2)), ...faults.slice(0, 2).toReversed()];
  const triedAgain = new Set<Fault>();
  for (let killed = 0; (killed < kills || due.length > 0) && mayGoOn();) {
    await wait(150 + next() * (isLong ? 900 : 500));
    const fault = due.pop() ?? drawFault(faults, next);
    const known = bench.violations.length;
    const isInjected = await fault.inject(bench);
    for (const one of bench.violations.slice(known)) say(`VIOLATION ${one}`);
    if (!isInjected && !bench.faults.has(fault.name) && !triedAgain.has(fault)) {
      triedAgain.add(fault);
      due.unshift(fault);
    }
    if (!isInjected) continue;
    bench.faults.set(fault.name, (bench.faults.get(fault.name) ?? 0) + 1);
    if (isKill(fault.name)) {
      killed += 1;
      if (killed % KILLS_A_LINE === 0) sayProgress(bench, killed);
    }
  }
  bench.notInjected = faults.map(({ name }) => name).filter((name) => !bench.faults.has(name));
  await killMain(bench);
  const damages = await tryDamages(bench.home, bench.work, next);
  await startMain(bench);
  return damages;
}

/** In an order of this run's own. */
function shuffled<T>(list: readonly T[]): T[] {
  const drawn = list.map((one) => ({ one, at: next() }));
  return drawn.toSorted((a, b) => a.at - b.at).map(({ one }) => one);
}

function sayProgress({ acknowledged, model, violations }: Bench, killed: number): void {
  const delivered = acknowledged.filter(({ text }) => model.delivered.has(text)).length;
  const counts = [
    `${String(killed)} kills`,
    `${String(acknowledged.length)} answers acknowledged`,
    `${String(delivered)} seen by a model`,
    `${String(violations.length)} violations`,
  ];
  say(`${String(Math.round(performance.now() / 1000))} s: ${counts.join(', ')}`);
}

/**
 * Gives no more answers, and waits for those that were given to be read, as long as any still is. The word that episodes
 * and calls in doubt wait for is given all the while.
 */
async function letAnswersArrive(bench: Bench, expert: ExpertAnswers): Promise<void> {
  bench.seat.rest();
  let open = Infinity;
  for (let since = performance.now(); performance.now() - since < NO_ARRIVAL_MS;) {
    const { unexplained, waiting } = deliveriesNow(bench, expert);
    const unread = unexplained.length + waiting.length;
    if (unread === 0) return;
    if (unread < open) [open, since] = [unread, performance.now()];
    await wait(500);
  }
}

async function main(): Promise<number> {
  say(`Faults with seed ${String(seed)}, ${String(kills)} kills.`);
  const work = mkdtempSync(join(tmpdir(), 'interject-faults-'));
  const mounted = join(work, 'disk');
  const disk = mountDisk(mounted);
  if (disk.fill === null)
    say('The disk is neither filled nor made read-only: no file system can be mounted here.');
  setClock(work, 0);
  const model = await startModel();
  const [counting, free] = [
    await startCountingEnvironment(Math.random),
    await startCountingEnvironment(Math.random),
  ];
  const running: { world?: Running } = {};
  try {
    const world = (running.world = await startWorld(work));
    const begun = {
      work,
      home: join(mounted, 'home'),
      disk,
      model,
      counting,
      free,
      world,
      starts: 0,
      faults: new Map<string, number>(),
      notInjected: [],
      violations: [],
      acknowledged: [],
    };
    const bench: Bench = Object.assign(begun, await bootMain(begun));
    const violations = await breakAndReport(bench).finally(() => (running.world = bench.world));
    say(`Repeat it with: npm run test:faults -- --kills ${String(kills)} --seed ${String(seed)}`);
    return violations === 0 ? 0 : 1;
  } finally {
    running.world?.signal('SIGKILL');
    model.close();
    counting.close();
    free.close();
    disk.unmount();
    rmSync(work, { recursive: true, force: true });
  }
}

async function breakAndReport(bench: Bench): Promise<number> {
  const tapped: TappedSteps = { answered: [], behindKey: '' };
  const expert = noAnswers();
  const stop = new AbortController();
  void startEpisodes(bench);
  const clients = [
    playThroughTap(() => bench.address, tapped, stop.signal),
    playRollouts({
      address: () => bench.address,
      behindKey: () => tapped.behindKey,
      answers: expert,
      random: Math.random,
      stop: stop.signal,
    }),
  ];
  await untilAtWork(bench);
  until = performance.now() + minutes * 60_000;
  const damages = await breakAgainAndAgain(bench);
  await letAnswersArrive(bench, expert);
  // Before it is ended: that stops episodes, which would explain what is still unread.
  const deliveries = deliveriesNow(bench, expert);
  stop.abort();
  await Promise.all(clients);
  await endMain(bench);
  // What the tap kept because main was behind, or gone, is in the log once main has started on it again.
  signalTap(bench, 'SIGKILL');
  Object.assign(bench, await bootMain(bench));
  await endMain(bench);
  signalTap(bench, 'SIGKILL');
  return report(bench, { tapped, expert, damages, deliveries });
}

/** As its owner ends it; another end than in order is a violation. */
async function endMain(bench: Bench): Promise<void> {
  bench.seat.close();
  bench.main.signal('SIGTERM');
  const { code, said } = await bench.main.ended;
  if (code !== 0) bench.violations.push(`main ended with ${String(code)} on SIGTERM:\n${said}`);
}

if (values.help === true) say(HELP);
else process.exitCode = await main();
process.exit();
