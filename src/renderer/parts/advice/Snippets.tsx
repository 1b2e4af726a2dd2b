// The named texts: put one in, keep the words as one, forget one. Lines of the menu beside the draft.
import { Save, TextQuote, Trash2 } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { isSnippetName, setSnippet } from '../../state/deskPrefs.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { Input } from '../../ui/Field.tsx';
import type { MenuEntry } from '../../ui/Menu.tsx';
import type { AdviceState } from './useAdvice.ts';

/** The lines of the menu, and the field for the name of a new one while it is asked for. */
export function useSnippetEntries({ text, type }: Pick<AdviceState, 'text' | 'type'>): {
  entries: MenuEntry[];
  naming: ReactNode;
} {
  const { store } = useSession();
  const snippets = useConsole(({ ui }) => ui.snippets);
  const [isNaming, setIsNaming] = useState(false);
  const names = Object.keys(snippets).toSorted();
  const insert = (of: string): void => {
    const snippet = snippets[of] ?? '';
    type(text.trim() === '' ? snippet : `${text.trimEnd()}\n${snippet}`);
  };
  return {
    entries: [
      ...names.map((of) => ({
        label: `Insert ;${of}`,
        icon: <TextQuote />,
        onChoose: () => insert(of),
      })),
      {
        label: 'Save this text as a snippet',
        icon: <Save />,
        isDisabled: text.trim() === '',
        // After the menu has given the focus back.
        onChoose: () => setTimeout(() => setIsNaming(true), 0),
      },
      ...names.map((of) => ({
        label: `Forget ;${of}`,
        icon: <Trash2 />,
        tone: 'danger' as const,
        onChoose: () => setSnippet(store, of, null),
      })),
    ],
    naming: isNaming ? (
      <SnippetName onName={(name) => setSnippet(store, name, text)} onClose={() => setIsNaming(false)} />
    ) : null,
  };
}

function SnippetName({
  onName,
  onClose,
}: {
  onName: (name: string) => void;
  onClose: () => void;
}): ReactNode {
  const [name, setName] = useState('');
  const isFit = isSnippetName(name);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && isFit) {
      onName(name);
      onClose();
    } else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Input
      autoFocus
      aria-label="Name of the snippet"
      aria-invalid={name !== '' && !isFit}
      placeholder="Name, then Enter"
      value={name}
      onChange={({ target }) => setName(target.value)}
      onKeyDown={onKeyDown}
      onBlur={onClose}
    />
  );
}
