// Work that can wait until the page has nothing better to do.

/** Runs it when the page is idle; the returned function calls it off. */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks.
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 300);
    return () => clearTimeout(timer);
  }
  const idle = window.requestIdleCallback(work);
  return () => window.cancelIdleCallback(idle);
}
