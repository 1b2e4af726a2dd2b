// Built-in worlds that had another name once. `workflow_automation_1` is also a scenario of the real Agent World Model:
// it is another name for our world only where the recorded environment is the built-in one.
import { kindOf } from './environmentKinds.ts';
import type { EnvironmentSpec } from './events/lifecycle.ts';

const FORMER_NAMES: ReadonlyMap<string, string> = new Map([['workflow_automation_1', 'loomline_workflows']]);

/** The present name of a built-in world; any other name stays as it is. */
export const worldName = <Name extends string | null>(name: Name): Name | string =>
  name === null ? name : (FORMER_NAMES.get(name) ?? name);

/** The scenario of an episode under its present name. */
export const scenarioIn = (
  environment: EnvironmentSpec | undefined,
  scenario: string | null,
): string | null =>
  environment !== undefined && kindOf(environment).isPartOfProduct ? worldName(scenario) : scenario;
