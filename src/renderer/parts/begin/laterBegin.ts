// Fetched only where there is no episode yet.
import { lazyPart } from '../../ui/LazyPart.tsx';

export const Begin = lazyPart(async () => (await import('./Begin.tsx')).Begin, {
  label: 'Loading the ways to begin',
  fallback: null,
});
