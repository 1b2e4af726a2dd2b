// One consultation in full: asked, drafted, decided, delivered, each kept apart.
import { useEffect, type ReactNode } from 'react';
import { COVERED_CODE } from '../../../shared/episode/uptake.ts';
import type { Consultation, Decision, Draft } from '../../../shared/episode/record.ts';
import type { Text } from '../../../shared/events/text.ts';
import { liftSentence } from '../../../shared/lift/liftSentence.ts';
import { missedReason } from '../../../shared/sentences/admissionText.ts';
import { outcomeTextOf } from '../../../shared/taskOutcome.ts';
import { useText } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { formatDuration, formatMoment } from '../../ui/time.ts';
import { leakText, privilegeMark } from '../advice/privilegeText.ts';
import { planWords } from '../plan/planWords.ts';
import { DataText } from '../text/DataText.tsx';
import { DiffText } from '../text/DiffText.tsx';
import { formatCount } from '../text/size.ts';
import { Facts } from './Facts.tsx';
import * as styles from './Details.module.css';

export function ConsultationDetails({ consultation }: { consultation: Consultation }): ReactNode {
  const { question, task, availableTools, askedAt, trigger, baseline, decision, delivered, routed } =
    consultation;
  return (
    <>
      {question === null ? null : <DataText label="Asked" text={question} isProse />}
      <Facts
        facts={[
          ['Wants', task],
          ['Tools mentioned', availableTools],
          ['Asked by', trigger === 'agent_call' || baseline !== null ? null : trigger],
          ['Brief of', briefedOf(consultation)],
          ['Went to', routed === null ? null : (routed.expert ?? 'whoever was there')],
          ['Because', routed?.reason ?? null],
          ['At', formatMoment(askedAt)],
        ]}
      />
      <Drafted consultation={consultation} />
      {decision === null ? null : <Decided consultation={consultation} decision={decision} />}
      {delivered === null ? null : <Delivered delivered={delivered} />}
      {delivered?.as === 'advice' || delivered?.as === 'draft' ? (
        <Lifts consultation={consultation.id} />
      ) : null}
    </>
  );
}

function briefedOf({ baseline, draftFailure }: Consultation): string | null {
  if (baseline === null) return null;
  const verdict =
    draftFailure?.code === COVERED_CODE ? 'its verdict is covered' : outcomeTextOf(baseline.reward_type);
  return `${baseline.episode} (${verdict})`;
}

function Drafted({ consultation }: { consultation: Consultation }): ReactNode {
  const { drafts, draftFailure } = consultation;
  const failed =
    draftFailure === null ? null : (
      <DataText
        label={`${drafts.length === 0 ? 'No draft' : 'No other draft'}: ${draftFailure.code}`}
        text={draftFailure.message}
        tone="error"
        isProse
      />
    );
  const based = basisOf(consultation);
  return (
    <>
      {drafts.map((draft, index) => (
        <DraftDetails
          key={draft.id}
          draft={draft}
          number={drafts.length === 1 ? null : index + 1}
          // An edited draft is shown once, with what was changed.
          isShownBelow={draft.id === based?.id}
        />
      ))}
      {failed}
    </>
  );
}

type OneDraftProps = { draft: Consultation['drafts'][number]; number: number | null; isShownBelow: boolean };

function DraftDetails({ draft, number, isShownBelow }: OneDraftProps): ReactNode {
  const { generator, model, hint, text, expert } = draft;
  const author = expert === undefined ? (model ?? 'the model') : `${expert} (${model ?? 'its model'})`;
  const by = generator === 'rule' ? 'by rule, from the task’s reference' : `by ${author}`;
  const label = `Draft${number === null ? '' : ` ${String(number)}`}, ${by}`;
  return (
    <>
      {hint === null ? null : (
        <p className="soft small">
          {`${hint.seat} asked for another draft${hint.text === '' ? '' : `: “${hint.text}”`}`}
        </p>
      )}
      {isShownBelow ? null : <DataText label={label} text={text} note={draftNote(draft)} />}
    </>
  );
}

/** The author's privilege, and what of it the agent could not know. */
const draftNote = ({ privilege, leak }: Draft): string =>
  leak === undefined ? privilegeMark(privilege) : `${privilegeMark(privilege)} · ${leakText(leak)}`;

/** The draft that the advice was edited from; null where it was not. */
const basisOf = ({ drafts, decision }: Consultation): Consultation['drafts'][number] | null =>
  decision?.type === 'approved' && decision.act === 'edit'
    ? (drafts.find(({ id }) => id === decision.draft) ?? null)
    : null;

function Decided({ consultation, decision }: { consultation: Consultation; decision: Decision }): ReactNode {
  const { askedAt } = consultation;
  const basis = basisOf(consultation);
  const after = `${formatDuration(decision.at - askedAt)} after the question`;
  if (decision.type === 'expired' || decision.type === 'cancelled')
    return (
      <Facts
        facts={[
          ['Closed', after],
          [
            'Why',
            decision.type === 'expired'
              ? missedReason({ reason: decision.reason, rule: consultation.admission?.rule ?? null })
              : decision.reason,
          ],
        ]}
      />
    );
  const seat = decision.actor.id;
  const facts = (
    <Facts
      facts={[
        ['Decided', after],
        ['By', seat],
        ['Attention', attentionText(decision, askedAt)],
        ['Mark', decision.type === 'approved' ? privilegeMark(decision.privilege) : null],
        [
          'Leak',
          decision.type === 'approved' && decision.leak !== undefined ? leakText(decision.leak) : null,
        ],
      ]}
    />
  );
  if (decision.type === 'declined')
    return (
      <>
        <DataText label="Decline reason" text={decision.reason} isProse />
        {facts}
      </>
    );
  return (
    <>
      {basis === null ? null : <Edited before={basis.text} after={decision.text} />}
      {decision.act === 'accept' ? (
        <p className="soft small">{sentAsItWas(consultation, decision)}</p>
      ) : (
        <DataText
          label={decision.act === 'edit' ? 'Advice, as sent' : 'Advice, written from scratch'}
          text={decision.text}
        />
      )}
      {facts}
    </>
  );
}

function sentAsItWas(
  { drafts }: Consultation,
  { draft, draftFrom }: Extract<Decision, { type: 'approved' }>,
): string {
  if (draftFrom !== null) return 'The draft of a similar question was sent unchanged.';
  const at = drafts.findIndex(({ id }) => id === draft);
  return drafts.length < 2 || at === -1
    ? 'The draft was sent unchanged.'
    : `Draft ${String(at + 1)} was sent unchanged.`;
}

function attentionText(
  { timing }: Extract<Decision, { type: 'approved' | 'declined' }>,
  askedAt: number,
): string | null {
  const { first_seen_at: seenAt, active_ms: activeMs } = timing;
  if (activeMs === null) return null;
  const seen = seenAt === null ? '' : `, first seen ${formatDuration(seenAt - askedAt)} after`;
  return `${formatDuration(activeMs)}${seen}`;
}

/** The draft above, the advice below, what was changed marked; long ones are read whole first. */
function Edited({ before, after }: { before: Text; after: Text }): ReactNode {
  const [draft, advice] = [useText(before), useText(after)];
  const { load: loadDraft } = draft;
  const { load: loadAdvice } = advice;
  useEffect(() => {
    loadDraft();
    loadAdvice();
  }, [loadDraft, loadAdvice]);
  if (!draft.isWhole || !advice.isWhole) return <p className="soft small">Loading both texts to compare.</p>;
  return (
    <section aria-label="Draft to advice">
      <h4 className="soft tiny bold">Draft → advice</h4>
      <DiffText before={planWords(draft.text)} after={planWords(advice.text)} label="Changes to the draft" />
    </section>
  );
}

const AS: Readonly<Record<NonNullable<Consultation['delivered']>['as'], string>> = {
  advice: 'as advice',
  draft: 'as the unseen draft',
  declined: 'as a decline',
  timed_out: 'as a timeout',
  nobody: 'as no one on duty',
};

function Delivered({ delivered }: { delivered: NonNullable<Consultation['delivered']> }): ReactNode {
  const { as, text, full_length, deliveredLength } = delivered;
  const isCut = deliveredLength < full_length;
  return (
    <DataText
      label={`Delivered ${AS[as]}: exactly what the agent read`}
      text={text}
      note={
        isCut ? (
          <span className={styles.cut}>
            {`cut: ${formatCount(deliveredLength, 'character')} of ${formatCount(full_length, 'character')}`}
          </span>
        ) : (
          'whole'
        )
      }
    />
  );
}

/** A question is named after its episode. */
export function Lifts({ consultation }: { consultation: string }): ReactNode {
  const episode = consultation.slice(0, consultation.lastIndexOf(':'));
  const isOwner = useRole() === 'owner';
  // An answer without its lift is still whole.
  const { value } = useAsk('lift.read', isOwner && episode !== '' ? { episode } : null);
  const own = (value?.lifts ?? []).filter(({ measured }) => measured.consultation === consultation);
  if (own.length === 0) return null;
  return (
    <section aria-label="Lift">
      {own.map(({ lift, agent, at, measured }) => (
        <div key={lift}>
          <p className="soft small">{liftSentence(measured)}</p>
          <Facts
            facts={[
              ['Lift', lift],
              ['Went on', agent],
              ['Measured', formatMoment(at)],
            ]}
          />
        </div>
      ))}
    </section>
  );
}
