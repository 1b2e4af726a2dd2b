/** One promise about a world, and what was seen of it. */
export type PackCheck = { name: string; status: 'pass' | 'fail'; evidence: string };

/** A check with what speaks against it, or null and what was seen. */
export const packCheck = (name: string, against: string | null, seen = ''): PackCheck => ({
  name,
  status: against === null ? 'pass' : 'fail',
  evidence: against ?? seen,
});
