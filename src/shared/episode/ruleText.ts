// An approval rule as people read it. The log names it in its own short form.
import { toolWords } from '../sentences/words.ts';

const RULE =
  /^(?<glob>.*?)(?: with (?<argument>.*))?: (?:(?<does>ask|auto)|first (?<first>\d+)|escalate after (?<escalate>\d+)(?:, (?<wrong>\d+) so far)?)$/s;

/** A longer one stays as it is. */
const RULE_MAX = 1000;

/** Of `*: ask` it makes "every call"; what is not in the log's form stays as it is. */
export function ruleText(rule: string): string {
  const { glob, argument, first, escalate, wrong } =
    (rule.length > RULE_MAX ? null : RULE.exec(rule))?.groups ?? {};
  if (glob === undefined) return rule;
  const which = `${toolsLike(glob)}${argument === undefined ? '' : ` with “${argument}” in it`}`;
  if (first !== undefined)
    return first === '1' ? `the first call${which}` : `the first ${first} calls${which}`;
  const every = `every call${which}`;
  if (escalate === undefined) return every;
  const failures = escalate === '1' ? '1 failure' : `${escalate} failures`;
  return `${every} after ${failures}${wrong === undefined ? '' : `, ${wrong} so far`}`;
}

/** The tools of a glob: those that start with "get", end with "order", or one by its name. */
function toolsLike(glob: string): string {
  if (glob === '*') return '';
  const parts = glob.split('*').map((part) => (part === '' ? '' : toolWords(part)));
  const [first = '', last = ''] = parts;
  if (parts.length === 1) return ` to ${first}`;
  if (parts.length === 2 && last === '') return ` of tools that start with “${first}”`;
  if (parts.length === 2 && first === '') return ` of tools that end with “${last}”`;
  return ` of tools like “${parts.join(' … ').trim()}”`;
}
