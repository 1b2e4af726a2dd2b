// In which order a desk is best worked: the stated score. Higher is more urgent.

export type Triage = {
  /** Errors in a row just before the ask. */
  error_streak: number;
  /** Calls made before with the same tool and arguments. */
  repeated_calls: number;
  /** Turns left before the limit; null where no limit is known. */
  turns_left: number | null;
  asked_at: number;
  deadline_at: number | null;
};

/** Weights: a minute of waiting, an error in a row, a repeated call, an urgent deadline, a short budget. */
const TRIAGE_WEIGHTS = { minute: 1, error: 2, repeat: 1.5, lastMinute: 20, lastTurns: 5 } as const;

/** The score at a moment (UTC ms). Two asks that are alike come in the order they were asked. */
export function triageScore(item: Triage, now: number): number {
  const waited = Math.max(0, now - item.asked_at) / 60_000;
  const isLastMinute = item.deadline_at !== null && item.deadline_at - now < 60_000;
  return (
    waited * TRIAGE_WEIGHTS.minute +
    item.error_streak * TRIAGE_WEIGHTS.error +
    item.repeated_calls * TRIAGE_WEIGHTS.repeat +
    (isLastMinute ? TRIAGE_WEIGHTS.lastMinute : 0) +
    (isNearEnd(item) ? TRIAGE_WEIGHTS.lastTurns : 0)
  );
}

const isNearEnd = ({ turns_left: left }: Triage): boolean => left !== null && left <= 3;

/** The score in words, part by part, for whoever wonders why this one is first. */
export function triageReasons(item: Triage, now: number): string[] {
  const waited = Math.floor(Math.max(0, now - item.asked_at) / 60_000);
  return [
    `waiting ${String(waited)} min`,
    ...(item.error_streak > 0 ? [`${String(item.error_streak)} errors in a row`] : []),
    ...(item.repeated_calls > 0 ? [`${String(item.repeated_calls)} repeated calls`] : []),
    ...(isNearEnd(item) ? [`${String(item.turns_left)} turns left`] : []),
  ];
}
