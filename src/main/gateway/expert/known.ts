// What clients were told a verifier checks: it comes back inside their questions, word for word.

export type KnownCriteria = { add(key: string, text: string): void; of(key: string): string[] };

const PER_KEY = 64;
const KEYS_MAX = 500;

export function createKnownCriteria(): KnownCriteria {
  const byKey = new Map<string, string[]>();
  return {
    add: (key, text) => {
      const before = byKey.get(key) ?? [];
      if (text.trim() === '' || before.includes(text.trim())) return;
      byKey.delete(key);
      byKey.set(key, [...before, text.trim()].slice(-PER_KEY));
      const [oldest] = byKey.keys();
      if (byKey.size > KEYS_MAX && oldest !== undefined) byKey.delete(oldest);
    },
    of: (key) => byKey.get(key) ?? [],
  };
}
