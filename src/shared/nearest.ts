// The name a person probably meant. Pure.

/** Edits that turn one word into the other, swapped neighbours counted once. */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + change);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

const COMPARED_NAME_MAX = 120;

/** The most alike of `names`, or null when none is alike enough to be offered. */
export function nearest(name: string, names: readonly string[]): string | null {
  const wanted = name.slice(0, COMPARED_NAME_MAX).toLowerCase();
  let best: { name: string; score: number } | null = null;
  for (const candidate of names) {
    const score = nameDistance(wanted, candidate.toLowerCase());
    if (best === null || score < best.score) best = { name: candidate, score };
  }
  return best !== null && best.score <= 0.5 ? best.name : null;
}

/** 0 for the same name, 1 for nothing in common. Words in another order count as nearly the same. */
function nameDistance(a: string, b: string): number {
  const longest = Math.max(a.length, b.length, 1);
  const letters = editDistance(a, b) / longest;
  const [left, right] = [nameWords(a), nameWords(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  const words = 1 - shared / Math.max(left.size, right.size, 1);
  return Math.min(letters, words * 0.9 + 0.05);
}

const nameWords = (name: string): Set<string> =>
  new Set(name.split(/[^a-z0-9]+/).filter((word) => word !== ''));
