// One turn to be labelled: what the agent did there, and whether the expert would have done the same.
import { Check, SkipForward, Split } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { z } from 'zod';
import type { HumanMove } from '../../../shared/contract/stepIns.ts';
import type { EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { isBlobRef, textHead } from '../../../shared/events/text.ts';
import { Failure } from '../../../shared/failure.ts';
import { moveLine } from '../../../shared/timeline/turnRow.ts';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { MoveForm } from '../../parts/call/MoveForm.tsx';
import { canSendUnchecked, emptyMove, MoveDraft, moveFromDraft } from '../../parts/call/moves.ts';
import { firstField, useFocusNext } from '../../parts/call/useCallDecision.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { optionKeys } from '../../state/keyboard.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import * as styles from './Composer.module.css';

type Props = {
  record: EpisodeRecord;
  turn: Turn;
  waiting: number;
  beta: number | null;
  onSkip: () => void;
};

export function LabelCard({ record, turn, waiting, beta, onSkip }: Props): ReactNode {
  const name = `label/${record.id}/${String(turn.turn)}`;
  const [kept, keep] = useKeptValue(name, MoveDraft);
  const time = useHumanTime(name, true);
  const body = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext(body);
  const { isBusy, failure, run: give } = useGiving(record.id, turn.turn, beta, time, () => keep(null));
  const same = sameMove(turn);
  const differ = (): void => {
    focusNext(firstField);
    keep(kept ?? draftFrom(turn, record));
  };
  const send = (isUnchecked: boolean): void => {
    if (kept === null) return;
    const { move, problem } = moveFromDraft(kept, record.tools, isUnchecked);
    void give(move, problem);
  };
  useKeys({
    ...optionKeys([() => (same === null ? undefined : void give(same)), differ, onSkip]),
    ...(kept === null ? {} : { send: () => send(false) }),
  });
  return (
    <section className={styles.composer} aria-label="Label a turn">
      <div
        className={styles.body}
        ref={body}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.target === body.current) return;
          event.preventDefault();
          body.current?.focus();
        }}
      >
        <p className="soft small">{`Turn ${String(turn.turn)}, ${String(waiting)} to label`}</p>
        <p>
          The agent did: <code>{turn.move === null ? 'nothing yet' : moveLine(turn.move)}</code>
        </p>
        {kept === null ? null : (
          <MoveForm
            draft={kept}
            tools={record.tools}
            finalLabel="Final answer the agent should have given"
            isTried={failure !== null}
            onChange={(by) => keep({ ...kept, ...by })}
          />
        )}
        {failure === null ? null : (
          <ErrorNote
            title="The label was not given"
            failure={failure}
            action={
              failure.code === 'bad_input' && kept !== null && canSendUnchecked(kept, record.tools) ? (
                <Button size="small" onClick={() => send(true)}>
                  Give it unchecked
                </Button>
              ) : null
            }
          />
        )}
      </div>
      <footer className={styles.actions}>
        {kept === null ? (
          <>
            <Button
              tone="primary"
              icon={<Check />}
              chord="1"
              isBusy={isBusy}
              isDisabled={same === null}
              onClick={() => (same === null ? undefined : void give(same))}
            >
              I would do the same
            </Button>
            <Button icon={<Split />} chord="2" onClick={differ}>
              I would do something different
            </Button>
          </>
        ) : (
          <>
            <Button tone="primary" chord="send" isBusy={isBusy} onClick={() => send(false)}>
              Give the label
            </Button>
            <Button tone="quiet" onClick={() => keep(null)}>
              Back
            </Button>
          </>
        )}
        <Button tone="quiet" icon={<SkipForward />} chord="3" onClick={onSkip}>
          Skip
        </Button>
      </footer>
    </section>
  );
}

/** The agent's move as one a person could make; null where no person can: a question, or what cannot be read. */
function sameMove({ move }: Turn): HumanMove | null {
  if (move === null || move.type === 'ask_expert' || move.type === 'malformed') return null;
  if (move.type !== 'final') return move;
  return isBlobRef(move.text) ? null : { type: 'final', text: move.text };
}

function draftFrom({ move }: Turn, { tools }: EpisodeRecord): MoveDraft {
  const empty = emptyMove(tools);
  if (move?.type === 'call_tool')
    return { ...empty, written: { tool: move.tool_name, args: move.arguments, raw: null, sought: '' } };
  return move?.type === 'final' ? { ...empty, type: 'final', final: textHead(move.text) } : empty;
}

function useGiving(
  episode: string,
  turn: number,
  beta: number | null,
  time: ReturnType<typeof useHumanTime>,
  onGiven: () => void,
) {
  const { call } = useSession();
  return useAct(async (move: HumanMove | null, problem: string | null = null) => {
    if (move === null) throw new Failure('bad_input', problem ?? '');
    await call('label.give', { episode, turn, move, timing: time.read(), beta });
    onGiven();
    time.end();
  });
}

export const Labelling = z.strictObject({
  mode: z.enum(['off', 'each', 'risky']),
  /** The share of those turns that is asked, in (0, 1]; null asks for every one. */
  beta: z.number().min(0).max(1).nullable(),
  /** Turns the expert passed over. */
  skipped: z.array(z.number()),
});
export type Labelling = z.infer<typeof Labelling>;

export const NO_LABELLING: Labelling = { mode: 'off', beta: null, skipped: [] };

/** The agent's turns that wait for a label, oldest first. */
export function turnsToLabel(record: EpisodeRecord, { mode, beta, skipped }: Labelling): Turn[] {
  if (mode === 'off') return [];
  const risky = mode === 'risky' ? riskyTurns(record.turns) : null;
  return record.turns.filter(
    (turn) =>
      turn.actor.type !== 'human' &&
      turn.move !== null &&
      !turn.isCopied &&
      turn.label === null &&
      !skipped.includes(turn.turn) &&
      (risky === null || risky.has(turn.turn)) &&
      (beta === null || drawOf(record.id, turn.turn) < beta),
  );
}

/** Turns whose call failed, was refused or could not be read, or had been made before. */
function riskyTurns(turns: readonly Turn[]): ReadonlySet<number> {
  const made = new Set<string>();
  const risky = new Set<number>();
  for (const { turn, move, call } of turns) {
    const isError =
      move?.type === 'malformed' ||
      (call !== null && (call.refused !== null || (call.returned?.error ?? null) !== null));
    const asked = move?.type === 'call_tool' ? JSON.stringify([move.tool_name, move.arguments]) : null;
    if (isError || (asked !== null && made.has(asked))) risky.add(turn);
    if (asked !== null) made.add(asked);
  }
  return risky;
}

/** A number in [0, 1) that an episode's turn always draws: a reload must not draw again. */
export function drawOf(episode: string, turn: number): number {
  let hash = 2_166_136_261;
  for (const char of `${episode}:${String(turn)}`)
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619);
  // The last bits of neighbouring turns are alike: mix once more.
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  hash ^= hash >>> 13;
  return (hash >>> 0) / 4_294_967_296;
}
