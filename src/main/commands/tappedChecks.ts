// What people may do to an episode that a foreign client plays: advice and notes always, more where its tap says so.
import type { Breakpoint } from '../../shared/events/stepIns.ts';
import { Failure } from '../../shared/failure.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';

const START_SO =
  'Start with --tap-act, or switch it on under Settings; it holds for episodes that begin then.';

/** Throws `bad_input` unless people may hold, change or answer this episode's calls. */
export function checkTapActs({ tapped }: EpisodeRecord): void {
  if (tapped === null || tapped.may_act) return;
  throw new Failure('bad_input', 'this tap gives advice and notes only; start with --tap-act', {
    next: START_SO,
  });
}

/** Throws `bad_input` for a take-over that would end the client's episode with its first move. */
export function checkTapTakeOver({ tapped }: EpisodeRecord): void {
  if (tapped === null || tapped.on_touch === 'mark') return;
  throw new Failure(
    'bad_input',
    'this tap discards an episode that a person changes: a take-over would end it',
    {
      next: 'Stop it, or let episodes be marked instead of discarded.',
    },
  );
}

/** What a client's wire never shows cannot stop its episode. */
const UNSEEN: ReadonlySet<Breakpoint['on']> = new Set(['consultation', 'final', 'tokens']);

/** Throws `bad_input` for a breakpoint that could never be hit. */
export function checkTapBreakpoint(record: EpisodeRecord, { on }: Breakpoint): void {
  checkTapActs(record);
  if (record.tapped === null || !UNSEEN.has(on)) return;
  throw new Failure('bad_input', 'a client’s wire carries calls and their results, nothing of this kind', {
    next: 'Stop at a tool, at an error or at a repeated call instead.',
  });
}

/** Throws `bad_input` for a final answer: a client's agent gives its own, and nothing of it is on the wire. */
export function checkTapMove({ tapped }: EpisodeRecord, type: string): void {
  if (tapped === null || type !== 'final') return;
  throw new Failure(
    'bad_input',
    'a client’s agent gives its own final answer; none can be given for it here',
    {
      next: 'Hand back, or stop the episode.',
    },
  );
}
