// The text that replaces reward and verdict in an event, for a seat that is not to know them.
import { RewardType } from '../wire.ts';
import type { Privilege, Saw } from './actor.ts';

/** Stands where a frame was: a frame holds the reward. */
export const COVERED = 'Covered: it tells reward and verdict.';

/** Labels of a call that could not be carried out are no verdict; any other may be one. */
export const toolLabel = (label: string | null): string | null =>
  label !== null && (label === 'tool_call_ok' || RewardType.toolErrors.has(label)) ? label : null;

const VERDICT: readonly Saw[] = ['verdict'];
/** Labels with which an environment says that it began or was left, not how well it went. */
const NEUTRAL: ReadonlySet<string> = new Set(['reset_ok', 'episode_done']);

type Result = { reward_type?: string | null; reward?: number | null };

/** Parts of the answer in a reward and its label, which may be that of a call. */
export const verdictIn = ({ reward_type: label = null, reward = null }: Result): readonly Saw[] =>
  (label !== null && toolLabel(label) === null && !NEUTRAL.has(label)) || reward !== null ? VERDICT : [];

/** The same, where whatever is there is a verdict. */
export const verdictUnless = (...covered: unknown[]): readonly Saw[] =>
  covered.every((value) => value === null) ? [] : VERDICT;

/** Privilege that a reader inherits of an author. What nobody recorded cannot be passed on by name. */
export const inherited = ({ privilege }: { privilege?: Privilege | undefined }): readonly Saw[] =>
  privilege === undefined || privilege === 'unknown' ? [] : privilege;
