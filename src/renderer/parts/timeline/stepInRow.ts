// The texts of the marks that people leave when they step in: pauses, notes, breakpoints, forks, previews.
import { outcomeTextOf } from '../../../shared/taskOutcome.ts';
import { isBlobRef, textHead } from '../../../shared/events/text.ts';
import type { EpisodeRecord, Item, StepInItem } from '../../../shared/episode/record.ts';
import { restartText } from '../../../shared/episode/restarts.ts';
import { formatCount } from '../text/size.ts';
import { firstSentence, oneLine } from './phrase.ts';
import type { TimelineRow } from './timelineRow.ts';

type StepInRowText = Pick<TimelineRow, 'role' | 'kind' | 'name' | 'detail'> &
  Partial<Pick<TimelineRow, 'isHuman' | 'outcome'>>;

export function stepInText(record: EpisodeRecord, item: StepInItem): StepInRowText {
  const human = { role: 'human' as const, isHuman: true };
  switch (item.type) {
    case 'phase':
      return { ...phaseName(item), kind: 'phase', detail: oneLine(item.reason ?? '') };
    case 'note':
      return { ...human, kind: 'note', name: 'Note to the agent', detail: noteText(record, item.note) };
    case 'breakpoint_hit':
      return { role: 'system', kind: 'phase', name: 'Breakpoint', detail: `at turn ${String(item.turn)}` };
    case 'rules':
      return { ...human, kind: 'phase', name: 'Approval rules', detail: rulesDetail(item.count) };
    case 'discarded':
      return {
        ...human,
        kind: 'phase',
        name: 'Correction discarded',
        detail:
          `turns ${String(item.fromTurn)} to ${String(item.toTurn)} ${oneLine(item.reason ?? '')}`.trim(),
      };
    case 'preview':
      return previewText(record, item);
    case 'forked':
      return {
        role: 'system',
        kind: 'forked',
        name: 'Continues another episode',
        detail: forkedDetail(record),
      };
    case 'went_on':
      return { role: 'system', kind: 'forked', ...wentOnText(record, item) };
    case 'doubt':
      return {
        ...(item.act === null ? { role: 'system' as const } : human),
        kind: 'phase',
        name: DOUBT_NAMES[item.act ?? 'waits'],
        detail: `turn ${String(item.turn)}`,
      };
  }
}

const DOUBT_NAMES = {
  waits: 'Call in doubt',
  send_again: 'Call in doubt sent again',
  unknown: 'Call in doubt not sent again',
} as const;

function phaseName({
  to,
  from,
  cause,
  actor,
}: Extract<Item, { type: 'phase' }>): Pick<TimelineRow, 'role' | 'name' | 'isHuman'> {
  const isHuman = actor.type === 'human';
  const role = isHuman ? 'human' : 'system';
  const name =
    to === 'correcting'
      ? 'Taken over'
      : to === 'paused'
        ? 'Paused'
        : from === 'correcting'
          ? 'Handed back'
          : cause === 'step'
            ? 'One step'
            : 'Resumed';
  return { role, name, isHuman };
}

const rulesDetail = (count: number): string =>
  count === 0 ? 'no call needs approval' : `${String(count)} ${count === 1 ? 'rule' : 'rules'}`;

function noteText({ notes }: EpisodeRecord, id: string): string {
  const text = notes.find((note) => note.id === id)?.text ?? '';
  return isBlobRef(text) ? firstSentence(textHead(text)) : firstSentence(text);
}

/** A try that was shown without asking is no act of a person. */
function previewText({ previews }: EpisodeRecord, { preview }: { preview: string }): StepInRowText {
  const found = previews.find((one) => one.preview === preview);
  const kind = 'preview';
  if (found === undefined) return { role: 'human', isHuman: true, kind, name: TRIED, detail: '' };
  const { drift, verdict, calls, shown_to: shownTo } = found;
  const differs = drift.length === 0 ? 'no drift' : `${String(drift.length)} results differ`;
  const said = verdict === null ? '' : `, the verifier would say ${outcomeTextOf(verdict)}`;
  const detail = `${calls.map(({ tool_name }) => tool_name).join(', ')} · ${differs}${said}`;
  return shownTo === undefined
    ? { role: 'human', isHuman: true, kind, name: TRIED, detail }
    : { role: 'system', isHuman: false, kind, name: 'Effect shown to the expert', detail };
}
const TRIED = 'Tried in a throw-away session';

function wentOnText(
  { restarts }: EpisodeRecord,
  { attempt }: { attempt: number },
): Pick<StepInRowText, 'name' | 'detail'> {
  const restart = restarts.find((one) => one.attempt === attempt);
  const detail = restart === undefined ? '' : restartText(restart);
  return restart?.wentOn?.drift
    ? { name: 'Did not go on after a restart', detail }
    : { name: WENT_ON, detail };
}
const WENT_ON = 'Went on after a restart';

function forkedDetail({ forked }: EpisodeRecord): string {
  if (forked === null) return '';
  const drift =
    forked.drift.length === 0
      ? 'without drift'
      : forked.drift.length === 1
        ? '1 result differs from the log'
        : `${String(forked.drift.length)} results differ from the log`;
  const made = `${String(forked.replayed)} calls replayed, ${drift}`;
  const carried = carriedText(forked);
  return `turns to ${String(forked.from_turn)} are copied from ${forked.from} · ${made}${carried === '' ? '' : ` · ${carried}`}`;
}

/** `1 approval rule and 2 breakpoints hold here too`; empty where nothing was set. */
export function carriedText({ carried }: Pick<NonNullable<EpisodeRecord['forked']>, 'carried'>): string {
  if (carried === undefined) return '';
  const parts = [
    ...(carried.rules === 0 ? [] : [formatCount(carried.rules, 'approval rule')]),
    ...(carried.breakpoints === 0 ? [] : [formatCount(carried.breakpoints, 'breakpoint')]),
  ];
  if (parts.length === 0) return '';
  const isOne = parts.length === 1 && carried.rules + carried.breakpoints === 1;
  return `${parts.join(' and ')} ${isOne ? 'holds' : 'hold'} here too`;
}
