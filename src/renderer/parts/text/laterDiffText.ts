// The difference of two texts for a card that rarely shows one: comparing is fetched when it is wanted.
import { lazyPart } from '../../ui/LazyPart.tsx';

export const LaterDiffText = lazyPart(async () => (await import('./DiffText.tsx')).DiffText, {
  label: 'Comparing',
  rows: 2,
});
