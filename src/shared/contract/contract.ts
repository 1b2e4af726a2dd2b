// The one table of commands, composed once, and the types both ends infer from it.
import type { z } from 'zod';
import { app, desk, episodes } from './areas.ts';
import { benching } from './bench.ts';
import { environments } from './environments.ts';
import { commandLine } from './commandLine.ts';
import { reviewing } from './review.ts';
import { library, erasing, experts } from './library.ts';
import { exporting } from './export.ts';
import { importing } from './import.ts';
import { gateway } from './gateway.ts';
import { models } from './models.ts';
import { rewards } from './rewards.ts';
import type { Row } from './row.ts';
import { runs } from './runs.ts';
import { seat } from './seat.ts';
import { settings } from './settings.ts';
import { training } from './training.ts';
import { rules, stepIns, worldCommands } from './stepIns.ts';

export const contract = {
  ...app,
  ...environments,
  ...episodes,
  ...desk,
  ...settings,
  ...models,
  ...experts,
  ...stepIns,
  ...rules,
  ...worldCommands,
  ...seat,
  ...erasing,
  ...gateway,
  ...library,
  ...importing,
  ...exporting,
  ...reviewing,
  ...rewards,
  ...training,
  ...benching,
  ...runs,
  ...commandLine,
} as const satisfies Record<string, Row>;

export type Method = keyof typeof contract;
/** The parsed input of a handler. */
export type Inputs = { [M in Method]: z.infer<(typeof contract)[M]['input']> };
export type Outputs = { [M in Method]: z.infer<(typeof contract)[M]['output']> };

/**
 * The seat of the console the command came from, and the invite or the key to the console it was opened with; neither
 * is the owner's own. `isCommand`: a command of the command line, which asks as its owner and shows no seat anything.
 */
export type Caller = { seat: string; invite?: string; key?: string; isCommand?: boolean };
export type Handlers = { [M in Method]: (input: Inputs[M], caller: Caller) => Promise<Outputs[M]> };

export const routes: {
  [M in Method]: Row & { input: z.ZodType<Inputs[M]>; output: z.ZodType<Outputs[M]> };
} = contract;

/** The commands whose answer may tell of a task's answer. */
export type RevealingMethod = {
  [M in Method]: (typeof contract)[M]['reveals'] extends readonly [] ? never : M;
}[Method];

export const isRevealing = (method: Method): method is RevealingMethod => routes[method].reveals.length > 0;

export const isMethod = (name: string): name is Method => Object.hasOwn(contract, name);
