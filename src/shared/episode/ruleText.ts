// An approval rule as people read it. The log names it in its own short form.

const RULE =
  /^(?<glob>.*?)(?: with (?<argument>.*))?: (?:(?<does>ask|auto)|first (?<first>\d+)|escalate after (?<escalate>\d+)(?:, (?<wrong>\d+) so far)?)$/s;

/** Of `*: ask` it makes "every call"; what is not in the log's form stays as it is. */
export function ruleText(rule: string): string {
  const { glob, argument, first, escalate, wrong } = RULE.exec(rule)?.groups ?? {};
  if (glob === undefined) return rule;
  const which = `${glob === '*' ? '' : ` of ${glob}`}${argument === undefined ? '' : ` with ${argument}`}`;
  if (first !== undefined)
    return first === '1' ? `the first call${which}` : `the first ${first} calls${which}`;
  const every = `every call${which}`;
  if (escalate === undefined) return every;
  const failures = escalate === '1' ? '1 failure' : `${escalate} failures`;
  return `${every} after ${failures}${wrong === undefined ? '' : `, ${wrong} so far`}`;
}
