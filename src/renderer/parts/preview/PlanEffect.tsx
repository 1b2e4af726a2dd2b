// Results of planned calls, tried on a throw-away session, as the agent would read them. What the agent could not have
// read lies behind one cover.
import { ChevronRight, CornerDownRight, FlaskConical, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { joinNames, nameOf, type Names } from '../../../shared/sentences/names.ts';
import { callSentence, type SentenceTool } from '../../../shared/sentences/sentence.ts';
import { useSession } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { Button } from '../../ui/Button.tsx';
import { Cover, MarkedNote } from '../../ui/Cover.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { DataText } from '../text/DataText.tsx';
import { formatCount } from '../text/size.ts';
import { DriftList } from '../timeline/DriftList.tsx';
import { Folded } from '../timeline/Facts.tsx';
import { CoveredChanges } from '../world/Changes.tsx';
import {
  driftSentence,
  effectSummary,
  hasFailed,
  type PlanEffectState,
  type PlannedTry,
  shownTry,
  type TriedCall,
  triedSentence,
  type TryResult,
} from './usePlanEffect.ts';
import * as styles from './PlanEffect.module.css';

type PlanEffectProps = {
  effect: PlanEffectState;
  tools: readonly SentenceTool[];
  /** What the episode's own results have shown that records are called. */
  known?: Names;
  /** The results stand at the steps of the plan already. */
  isInSteps?: boolean;
  /** The sentence of the only call stands above. */
  isSaid?: boolean;
  /** What it is called; a page may show several. */
  label?: string;
  /** The key that tries, where a person has to ask. */
  chord?: 'effect';
};

export function PlanEffect(props: PlanEffectProps): ReactNode {
  const { effect, tools, known, isInSteps = false, isSaid = false, chord } = props;
  const { label = 'What the calls return' } = props;
  const { mode, calls, problem, state } = effect;
  if (mode === null || mode === 'off' || (calls.length === 0 && problem === null)) return null;
  const shown = shownTry(state);
  const isListed = !isInSteps && (shown !== null || state.type === 'running');
  return (
    <section className="stack-2" aria-label={label} aria-busy={state.type === 'running'}>
      <EffectHead effect={effect} chord={chord} />
      {state.type === 'failed' ? (
        <ErrorNote
          title="The calls could not be tried"
          failure={state.failure}
          again={() => effect.run({ isAgain: true })}
        />
      ) : null}
      {shown === null ? null : <EffectDrift result={shown.result} />}
      {isListed ? (
        <ol className={styles.calls}>
          {calls.map((call, index) => (
            // A call has no other name than its place.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              {isSaid ? null : (
                <p className="breaks">
                  {sentenceOf(
                    call,
                    tools,
                    known === undefined ? effect.names : joinNames(known, effect.names),
                  )}
                </p>
              )}
              <EffectNote effect={effect} index={index} />
            </li>
          ))}
        </ol>
      ) : null}
      {shown === null ? null : (
        <EffectCover key={JSON.stringify(shown.calls)} effect={effect} result={shown.result} />
      )}
    </section>
  );
}

/** Says above the calls that nobody has tried them, and what a person can do instead. */
export function WhyNotTried({ effect: { mode, why, calls } }: { effect: PlanEffectState }): ReactNode {
  if (mode !== 'off' || calls.length === 0) return null;
  return (
    <p className={styles.untried}>
      {`Not tried: ${why ?? 'calls are not tried here'}. Check each step against the task. Give the whole way, and say what you cannot be sure of: the agent may not ask again.`}
    </p>
  );
}

function sentenceOf(call: PlannedTry, tools: readonly SentenceTool[], names: Names): string {
  const tool = tools.find(({ name }) => name === call.tool_name) ?? { name: call.tool_name };
  return callSentence(tool, call.arguments, nameOf(names)).text;
}

/** The result in one line, or a way to ask for it. */
function EffectHead({
  effect,
  chord,
}: {
  effect: PlanEffectState;
  chord: PlanEffectProps['chord'];
}): ReactNode {
  const { mode, calls, problem, state, run, drop } = effect;
  if (problem !== null) return <p className="soft small">{problem}</p>;
  const count = formatCount(calls.length, 'call');
  if (state.type === 'running' && (mode === 'on_request' || shownTry(state) === null))
    return (
      <p className={styles.head} role="status">
        <span className="soft small">{`Trying ${count} in a throw-away session`}</span>
        {mode === 'on_request' ? (
          <Button size="small" tone="quiet" icon={<X />} onClick={drop}>
            Cancel
          </Button>
        ) : null}
      </p>
    );
  const shown = shownTry(state);
  const isCurrent = shown !== null && effect.results.every((result) => result !== null);
  return (
    <div className={styles.head}>
      {shown === null ? null : (
        <p role="status">
          <span className={styles.summary}>
            {isCurrent ? effectSummary(shown.result) : 'The plan has changed since it was tried.'}
          </span>{' '}
          <span className="soft small">Tried in a throw-away session; nothing reached the episode.</span>
        </p>
      )}
      {mode === 'on_request' ? (
        <Button
          size="small"
          icon={<FlaskConical />}
          {...(chord === undefined ? {} : { chord })}
          onClick={() => run({ isAgain: shown !== null })}
        >
          {shown === null ? `Try ${calls.length === 1 ? 'the call' : `the ${count}`} first` : 'Try again'}
        </Button>
      ) : null}
    </div>
  );
}

/** One call's result in a line, the whole of it behind a toggle. Nothing in it praises a call that ran. */
export function EffectNote({ effect, index }: { effect: PlanEffectState; index: number }): ReactNode {
  const { results, calls, state } = effect;
  const tried = results[index] ?? null;
  if (tried !== null) return <TriedNote key="note" tried={tried} call={calls[index]} />;
  if (state.type !== 'running') return null;
  const before = state.before?.result.results[index] ?? null;
  // What it gave before stays open where it was open: nothing moves under a reader.
  return before === null ? (
    <p className={cx(styles.result, styles.waiting)}>Trying</p>
  ) : (
    <TriedNote key="note" tried={before} call={calls[index]} isOld />
  );
}

type TriedNoteProps = {
  tried: TriedCall;
  call: PlannedTry | undefined;
  /** Another try is under way: this is what the last one gave. */
  isOld?: boolean;
};

function TriedNote({ tried, call, isOld = false }: TriedNoteProps): ReactNode {
  const isFailed = hasFailed(tried);
  return (
    <details className={cx(styles.tried, isOld && styles.waiting)} aria-busy={isOld} data-reading>
      <summary className={cx(styles.result, isFailed && !isOld && styles.failed)}>
        {isFailed ? <X aria-hidden="true" /> : <CornerDownRight aria-hidden="true" />}
        <span>
          {isOld ? 'Trying again. Before: ' : ''}
          {`${isFailed ? 'Fails: ' : ''}${triedSentence(tried, isOld ? undefined : call)}`}
        </span>
        <ChevronRight className={styles.more} aria-hidden="true" />
      </summary>
      {tried.error === null ? null : (
        <DataText label="Error as the agent reads it" text={tried.error} tone="error" />
      )}
      {tried.text === null ? null : (
        <DataText label="Result as the agent reads it" text={tried.text} hasTables />
      )}
    </details>
  );
}

function EffectDrift({ result }: { result: TryResult }): ReactNode {
  const sentence = driftSentence(result);
  if (sentence === null) return null;
  return (
    <>
      <p className={styles.drift} role="status">
        {sentence}
      </p>
      <Folded label="Both answers">
        <DriftList drift={result.drift} replayed={result.replayed} />
      </Folded>
    </>
  );
}

/** Covers what the agent could not have read: database differences and, for the owner, the verifier's opinion. */
function EffectCover({ effect, result }: { effect: PlanEffectState; result: TryResult }): ReactNode {
  const { call } = useSession();
  const isExpert = useRole() === 'expert';
  const { preview } = result;
  const verdict = isExpert ? null : <EffectVerdict effect={effect} result={result} />;
  if (preview === null) return verdict;
  return (
    <CoveredChanges
      what="Show what changes in the world"
      read={() => call('preview.changes', { preview })}
      label={(rows) => `Changes in the world: ${rows}`}
      more={verdict}
      onShown={({ records }) => effect.onUncovered(records)}
    />
  );
}

function EffectVerdict({ effect, result }: { effect: PlanEffectState; result: TryResult }): ReactNode {
  if (result.verdict !== null)
    return (
      <MarkedNote>
        <strong>{`The verifier would say: ${result.verdict}.`}</strong> Your advice on this task is marked:
        you have seen the verdict.
      </MarkedNote>
    );
  const isBusy = effect.state.type === 'running' && effect.state.withVerdict;
  return (
    <Cover
      what="Show the verifier’s opinion"
      isBusy={isBusy}
      onShow={() => effect.run({ withVerdict: true })}
    />
  );
}
