// The editor of advice as text, fetched when it is first shown or ahead of that.
import { lazyPart } from '../../ui/LazyPart.tsx';

export const LaterAdviceEditor = lazyPart(async () => (await import('./AdviceEditor.tsx')).AdviceEditor, {
  label: 'Loading the editor',
  rows: 5,
});
