// What `interject doctor` looks at in an Agent World Model data folder: whether every verifier can be read, and every
// statement of every first database runs.
import { countText } from '../../shared/countText.ts';
import { existsSync } from 'node:fs';
import { failureShape } from '../../shared/failure.ts';
import { seedProblemText } from '../../shared/seed.ts';
import { seedDatabase } from '../state/seed.ts';
import { type AwmData, createAwmData } from '../environments/awmData.ts';
import type { BundleCheckLine } from './bundle.ts';

/** How these checks' names begin. */
export const AWM_DATA = 'Agent World Model data';

/** Lines about single statements; the rest is counted. */
const LISTED_MAX = 20;

/** Nothing where no folder was named and none is at the usual place. */
export async function* awmChecks({
  folder,
  isNamed,
}: {
  folder: string;
  isNamed: boolean;
}): AsyncGenerator<BundleCheckLine> {
  if (!isNamed && !existsSync(folder)) return;
  const data = createAwmData(folder);
  const name = AWM_DATA;
  const read = await readAll(data);
  if ('failure' in read) {
    const { message, next } = read.failure;
    return yield { name, status: 'fail', evidence: `${message}. ${next ?? ''}` };
  }
  const { tasks, unread } = read;
  const found = `${countText(tasks.length, 'task')} with a verifier in ${folder}`;
  yield unread.length === 0
    ? { name, status: 'pass', evidence: found }
    : { name, status: 'warn', evidence: `${found}; not read: ${unread.slice(0, LISTED_MAX).join('; ')}` };
  const problems: string[] = [];
  const scenarios = await data.seeded();
  for (const scenario of scenarios) {
    const statements = await data.seed(scenario);
    if (statements === null) problems.push(`${scenario}: it has no sample rows`);
    else
      problems.push(
        ...seedDatabase(statements).problems.map((one) => `${scenario}, ${seedProblemText(one)}`),
      );
  }
  const made = `${String(scenarios.length)} first databases`;
  if (problems.length === 0) yield { name: `${name}, seeds`, status: 'pass', evidence: made };
  for (const evidence of problems.slice(0, LISTED_MAX)) {
    yield { name: `${name}, seeds`, status: 'warn', evidence };
  }
  const more = problems.length - LISTED_MAX;
  if (more > 0) {
    yield {
      name: `${name}, seeds`,
      status: 'warn',
      evidence: `${made}: ${String(more)} more statements like these`,
    };
  }
}

async function readAll(data: AwmData) {
  try {
    return { tasks: await data.tasks(), unread: await data.problems() };
  } catch (thrown) {
    return { failure: failureShape(thrown) };
  }
}
