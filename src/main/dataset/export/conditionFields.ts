// Under which condition an episode's experts decided, for formats that have no field for it.
import type { Consultation, EpisodeRecord } from '../../../shared/episode/record.ts';

/** Who could advise; that experts saw no effect of their calls, or no outcome, only where it was so. */
export const conditionFields = ({ started }: EpisodeRecord): Record<string, unknown> => ({
  condition: started?.condition ?? null,
  ...(started?.effect === undefined ? {} : { effect: started.effect }),
  ...(started?.is_blinded === true ? { blinded: true } : {}),
});

/** How often somebody was shown, without asking, what calls return while a question waited; nothing where never. */
export function effectShownField(
  { previews }: EpisodeRecord,
  { askedAt, decision }: Consultation,
): Record<string, unknown> {
  const shown = previews.filter(
    ({ at, call, shown_to: seat }) =>
      seat !== undefined && call === null && at >= askedAt && (decision === null || at <= decision.at),
  );
  return shown.length === 0 ? {} : { effect_shown: shown.length };
}
