// Copying a text, and saying that it was copied or that the browser refused.
import { Check, Copy, X } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { Button, IconButton } from './Button.tsx';

/** Writes to the clipboard; a page that is not a secure context has only the old way. */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  if (typeof text !== 'string') return copyLater(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** A text yet to be loaded is promised at once: a browser lets a page write only right after a press. */
async function copyLater(text: Promise<string>): Promise<boolean> {
  try {
    const plain = text.then((whole) => new Blob([whole], { type: 'text/plain' }));
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain })]);
    return true;
  } catch {
    return text.then(copyBySelection, () => false);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  const focused = document.activeElement;
  (focused?.closest('[data-overlay]') ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}

type CopyButtonProps = {
  text: string | (() => string | Promise<string>);
  /** What is copied: "Copy the command". */
  label: string;
  /** Shows the label beside the icon. */
  hasLabel?: boolean;
  icon?: ReactNode;
};

export function CopyButton({
  text,
  label,
  hasLabel = false,
  icon: plain = <Copy />,
}: CopyButtonProps): ReactNode {
  const [outcome, setOutcome] = useState<boolean | null>(null);
  useEffect(() => {
    if (outcome === null) return undefined;
    const timer = setTimeout(() => setOutcome(null), 1600);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = (): void => void copyText(typeof text === 'string' ? text : text()).then(setOutcome);
  const said = outcome === null ? label : outcome ? 'Copied' : 'The browser refused to copy';
  const icon = outcome === null ? plain : outcome ? <Check /> : <X />;
  return (
    <>
      {hasLabel ? (
        <Button size="small" tone="quiet" icon={icon} onClick={copy}>
          {said}
        </Button>
      ) : (
        <IconButton label={said} icon={icon} onClick={copy} />
      )}
      <span className="quiet-label" role="status">
        {outcome === null ? '' : said}
      </span>
    </>
  );
}
