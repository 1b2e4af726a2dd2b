// Asking before texts of an episode are taken out of the log for good: what goes, what stays, and why.
import { Eraser } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { ERASED_TEXT_MIN, type EraseResult } from '../../../shared/contract/library.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { isBlobRef, textHead, textLength, type Text } from '../../../shared/events/text.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { formatCount, formatSize } from '../../parts/text/size.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { parseTextAddress } from '../../state/putAway.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { wholeText } from '../../state/texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import * as styles from './EraseDialog.module.css';

type What = 'episode' | 'text';

type EraseDialogProps = {
  whole: EpisodeRecord;
  /** What was selected on the page: most likely what should go. */
  selected: string;
  /** Texts of the step one is on. */
  sources: readonly StepSource[];
  onClose: () => void;
};

export function EraseDialog({ whole, selected, sources, onClose }: EraseDialogProps): ReactNode {
  const [what, setWhat] = useState<What>(selected.length >= ERASED_TEXT_MIN ? 'text' : 'episode');
  const [text, setText] = useState(selected);
  const [reason, setReason] = useState('');
  const { isBusy, failure, run: erase } = useErase(whole.id, onClose);
  const size = useLogSize();
  const isReady = reason.trim() !== '' && (what === 'episode' || text.length >= ERASED_TEXT_MIN);
  return (
    <Dialog
      isOpen
      onClose={isBusy ? () => undefined : onClose}
      title="Erase from the log"
      description="This cannot be undone."
      notice={failure === null ? null : <ErrorNote title="Nothing was erased" failure={failure} />}
      footer={
        <>
          {isBusy ? <Underway size={size} /> : null}
          <Button isDisabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button
            tone="danger"
            icon={<Eraser />}
            isBusy={isBusy}
            isDisabled={!isReady}
            onClick={() => void erase(what === 'text' ? text : null, reason)}
          >
            {what === 'text' ? 'Erase the text' : 'Erase the episode'}
          </Button>
        </>
      }
    >
      <div className="stack-3">
        <fieldset className={styles.what}>
          <legend>What to erase</legend>
          {(['episode', 'text'] as const).map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="what"
                {...(what === one ? { 'data-first': true } : {})}
                checked={what === one}
                onChange={() => setWhat(one)}
              />
              {one === 'episode'
                ? 'All text of the episode'
                : 'One text, wherever it appears in the episode and its reviews'}
            </label>
          ))}
        </fieldset>
        {what === 'episode' ? (
          <WholeEpisodeText whole={whole} />
        ) : (
          <OneText text={text} sources={sources} onText={setText} />
        )}
        <p>Future exports leave the episode out. Data sets written earlier keep what they contain.</p>
        <p>
          {`The log${size === null ? '' : `, ${size},`} is rewritten so that the bytes are gone. Everything else waits meanwhile, running episodes included.`}
        </p>
        <Field label="Why" hint="Stays in the log, with your seat and the time.">
          <Textarea
            rows={2}
            value={reason}
            maxLength={2000}
            onChange={({ target }) => setReason(target.value)}
          />
        </Field>
      </div>
    </Dialog>
  );
}

/** The size of the log, in words; null until it is known. The dialog says the rest without it. */
function useLogSize(): string | null {
  const bytes = useAsk('app.describe', {}).value?.log_bytes;
  return bytes === undefined ? null : megabytes(bytes);
}

const megabytes = (bytes: number): string =>
  bytes < 1_000_000 ? 'less than 1 MB' : `${Math.round(bytes / 1_000_000).toLocaleString()} MB`;

/** Main answers nothing meanwhile: that time goes by shows that it is at work. */
function Underway({ size }: { size: string | null }): ReactNode {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <span role="status">{`Erasing: rewriting the log${size === null ? '' : `, ${size}`}`}</span>
      {seconds === 0 ? null : <span aria-hidden="true">{`${String(seconds)} s`}</span>}
    </>
  );
}

function WholeEpisodeText({ whole }: { whole: EpisodeRecord }): ReactNode {
  const file = whole.imported?.source.name ?? null;
  return (
    <ul className={styles.list}>
      <li>
        <b>Erased:</b>
        {` the task, messages, reasoning, arguments, results, questions, drafts, advice and notes of ${formatCount(whole.n, 'event')}, and what reviewers and models wrote about it in annotation projects: remarks, corrections, reasons`}
        {file === null ? '.' : `; also the kept file ${file} with everything else that was read from it.`}
      </li>
      <li>
        <b>Kept:</b> names of tools and models, numbers, times, verdict and outcome, labels and choices of
        reviewers, and the hash of each text in its place.
      </li>
      <li>
        <b>Not affected:</b> forks of the episode, which hold copies.
      </li>
    </ul>
  );
}

type OneTextProps = { text: string; sources: readonly StepSource[]; onText: (text: string) => void };

function OneText({ text, sources, onText }: OneTextProps): ReactNode {
  const isShort = text.length > 0 && text.length < ERASED_TEXT_MIN;
  return (
    <>
      <Field
        label="The exact text"
        hint="Also erased where it is part of a longer text, a call’s arguments or a frame. Replaced by a mark with its hash."
        error={
          isShort
            ? `Enter at least ${String(ERASED_TEXT_MIN)} characters; shorter text would match everywhere.`
            : null
        }
      >
        <Textarea isMono rows={4} value={text} onChange={({ target }) => onText(target.value)} />
      </Field>
      {sources.length === 0 ? (
        <p className="quiet small">
          Select it on the page before opening this, or select its step in the timeline to choose from its
          texts.
        </p>
      ) : (
        <div className="wrap-1 centered" role="group" aria-label="Texts of this step">
          <span className="quiet small">Texts of this step:</span>
          {sources.map((source) => (
            <EraseSource key={source.key} source={source} onText={onText} />
          ))}
        </div>
      )}
    </>
  );
}

/** A long text is read before it can be looked for. */
function EraseSource({ source, onText }: { source: StepSource; onText: (text: string) => void }): ReactNode {
  const { texts } = useSession();
  const { isBusy, run: take } = useAct(async () => {
    const whole = await wholeText(texts, source.text);
    if (whole !== null) onText(whole);
  });
  return (
    <Button
      size="small"
      isBusy={isBusy}
      title={textHead(source.text).slice(0, 200)}
      onClick={() => void take()}
    >
      {`${source.label}, ${formatSize(source.text)}`}
    </Button>
  );
}

/** Says what was done, for a person to read once the episode on screen is the new one. */
export function eraseSummary({ events, judgements, places, left, copies, files, shared }: EraseResult): {
  title: string;
  text: string;
} {
  const parts = [
    ...(places === null ? [] : [`Removed from ${formatCount(places, 'place')}.`]),
    ...(left > 0
      ? [`It remains in ${formatCount(left, 'event')} as a number or across fields: erase the whole episode.`]
      : []),
    'Exports leave it out.',
    ...(judgements > 0 ? [`${formatCount(judgements, 'event')} about it in annotation projects too.`] : []),
    ...files.map((name) => `The kept file ${name} is gone.`),
    ...(shared > 0
      ? [`${formatCount(shared, 'other episode')} from it can no longer be exported in the original format.`]
      : []),
    ...(copies.length > 0 ? [`Forks that still hold copies: ${copies.join(', ')}.`] : []),
  ];
  return { title: `Erased: ${formatCount(events, 'event')} changed`, text: parts.join(' ') };
}

function useErase(episode: string, onDone: () => void) {
  const { call } = useSession();
  const toast = useToast();
  return useAct(async (text: string | null, reason: string) => {
    const result = await call('episode.erase', { episode, text, reason });
    toast({ tone: 'ok', ...eraseSummary(result) });
    onDone();
  });
}

export type StepSource = { key: string; label: string; text: Text };

const SOURCE_LABELS: Readonly<Record<string, string>> = {
  task: 'Task',
  question: 'Question',
  reasoning: 'Reasoning',
  content: 'What was written',
  text: 'Text',
  error: 'Error',
  final_answer: 'Final answer',
  message: 'Message',
  reason: 'Reason',
};

const isTombstone = (text: Text): boolean => typeof text === 'string' && text.startsWith('[erased sha256:');

/** Each text once, in the order it came; what is too short to be told apart, or gone already, is left out. */
export function stepSources(events: readonly Recorded[]): StepSource[] {
  const seen = new Set<string>();
  return events.flatMap(({ n, event }) =>
    Object.entries(SOURCE_LABELS).flatMap(([name, label]): StepSource[] => {
      const text: unknown = name in event ? event[name as keyof typeof event] : null;
      if (typeof text !== 'string' && !isBlobRef(text)) return [];
      const key = typeof text === 'string' ? text : (parseTextAddress(text.$blob)?.digest ?? text.$blob);
      if (textLength(text) < ERASED_TEXT_MIN || isTombstone(text) || seen.has(key)) return [];
      seen.add(key);
      return [{ key: `${String(n)} ${name}`, label, text }];
    }),
  );
}
