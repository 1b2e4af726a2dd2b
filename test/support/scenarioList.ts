// A list of scenarios as long as the Agent World Model's, made the same each time.
import type { ListedScenario } from '../../src/shared/scenarioSearch.ts';

const SHOPS = [
  'Etsy',
  'Rover',
  'Gofundme',
  'Surveymonkey Apply',
  'Docusign',
  'Samsara',
  'Ticket Office',
  'ADP',
];
const VERBS = ['Create', 'Rename', 'Archive', 'Move', 'Close', 'Refund', 'Assign', 'Schedule'];
const THINGS = [
  'campaign',
  'invoice',
  'workflow',
  'listing',
  'shipment',
  'appointment',
  'survey',
  'Ärztetermin',
];
const PEOPLE = ['Priya Natarajan', 'Tomás', 'Ann O’Hara', 'the second reviewer', 'user 17', 'İpek'];

const pick = (from: readonly string[], at: number): string => from[at % from.length] ?? '';

export const generatedScenarios = (scenarios = 1_000, tasks = 10): ListedScenario[] =>
  Array.from({ length: scenarios }, (_, at) => ({
    name: `${pick(SHOPS, at).toLowerCase().replaceAll(' ', '_')}_${String(at)}`,
    description: at % 3 === 0 ? `${pick(SHOPS, at)} keeps ${pick(THINGS, at * 5 + 1)}s of small teams.` : '',
    tasks: Array.from(
      { length: tasks },
      (__, index) =>
        `${pick(VERBS, at * 7 + index)} the ${pick(THINGS, at + index * 3)} no. ${String((at * 31 + index * 7) % 997)} for ` +
        `${pick(PEOPLE, at + index)}, and note in one sentence why it was done before the end of the week.`,
    ),
  }));
