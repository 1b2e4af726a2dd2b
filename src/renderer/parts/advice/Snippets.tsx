// The menu of named texts: put one in, keep the words as one, forget one.
import { TextQuote } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { isSnippetName, setSnippet } from '../../state/deskPrefs.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Input } from '../../ui/Field.tsx';
import { Menu } from '../../ui/Menu.tsx';
import type { AdviceState } from './useAdvice.ts';

export function Snippets({ advice }: { advice: AdviceState }): ReactNode {
  const { store } = useSession();
  const snippets = useConsole(({ ui }) => ui.snippets);
  const [name, setName] = useState<string | null>(null);
  const { text } = advice;
  const names = Object.keys(snippets).toSorted();
  const insert = (of: string): void => {
    const snippet = snippets[of] ?? '';
    advice.type(text.trim() === '' ? snippet : `${text.trimEnd()}\n${snippet}`);
  };
  if (name !== null) {
    const isFit = isSnippetName(name);
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Enter' && isFit) {
        setSnippet(store, name, text);
        setName(null);
      } else if (event.key === 'Escape') setName(null);
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
        onBlur={() => setName(null)}
      />
    );
  }
  return (
    <Menu
      trigger={
        <Button size="small" tone="quiet" icon={<TextQuote />}>
          Snippets
        </Button>
      }
      items={[
        ...names.map((of) => ({ label: `;${of}`, onChoose: () => insert(of) })),
        ...(names.length === 0 ? [] : ['line' as const]),
        {
          label: 'Save this text as a snippet',
          isDisabled: text.trim() === '',
          // After the menu has given the focus back.
          onChoose: () => setTimeout(() => setName(''), 0),
        },
        ...names.map((of) => ({
          label: `Forget ;${of}`,
          tone: 'danger' as const,
          onChoose: () => setSnippet(store, of, null),
        })),
      ]}
    />
  );
}
