import { useEffect, useState } from 'react';

/** The text of a field that is taken over a moment after the last key, and follows `text` when that changes elsewhere. */
export function useTypedText(
  text: string,
  onText: (text: string) => void,
  delayMs: number,
): [string, (typed: string) => void] {
  // `taken` is what this field gave out: only another text replaces what is being typed.
  const [field, setField] = useState({ typed: text, taken: text });
  if (field.taken !== text) setField({ typed: text, taken: text });
  const { typed } = field;
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => {
      setField((now) => ({ ...now, taken: typed }));
      onText(typed);
    }, delayMs);
    return () => clearTimeout(timer);
  }, [typed, text, onText, delayMs]);
  return [typed, (next) => setField((now) => ({ ...now, typed: next }))];
}
