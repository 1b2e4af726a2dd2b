// What is done with the rules as a whole: reset, copied as JSON or as a command, pasted.
import { ClipboardPaste, RotateCcw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useKeys, useToast } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton, copyText } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import { rulesText } from './commandLine.ts';
import { readRules } from './pastedRules.ts';
import * as styles from './Rules.module.css';
import { changedRules, DEFAULT_RULES } from './rulesModel.ts';
import type { ExportForm } from './useForm.ts';

export function RulesHead({ form }: { form: ExportForm }): ReactNode {
  const { rules, onRules } = form;
  const toast = useToast();
  const [isPasting, setIsPasting] = useState(false);
  // What the rows teach is chosen with the format.
  const hasChanges = changedRules({ ...rules, preset: null }).length > 0;
  const reset = (): void => {
    if (!hasChanges) return;
    onRules({ ...DEFAULT_RULES, preset: rules.preset });
    toast({
      tone: 'plain',
      title: 'Default rules',
      action: { label: 'Undo', run: () => onRules(rules) },
    });
  };
  const copy = (): void =>
    void copyText(rulesText(rules)).then((copied) =>
      toast(
        copied
          ? { tone: 'ok', title: 'The rules are copied' }
          : { tone: 'error', title: 'The browser refused to copy' },
      ),
    );
  useKeys('data', {
    'data.reset': reset,
    'data.paste_rules': () => setIsPasting(true),
    'data.copy_rules': copy,
  });
  return (
    <header className={styles.head}>
      <h2 className={styles.title}>Rules</h2>
      <Button size="small" tone="quiet" icon={<RotateCcw />} isDisabled={!hasChanges} onClick={reset}>
        Reset
      </Button>
      <Button size="small" tone="quiet" icon={<ClipboardPaste />} onClick={() => setIsPasting(true)}>
        Paste…
      </Button>
      <CopyButton hasLabel text={() => rulesText(rules)} label="Copy" />
      {isPasting ? <PasteDialog onRules={onRules} onClose={() => setIsPasting(false)} /> : null}
    </header>
  );
}

function PasteDialog({
  onRules,
  onClose,
}: {
  onRules: ExportForm['onRules'];
  onClose: () => void;
}): ReactNode {
  const [text, setText] = useState('');
  const read = text.trim() === '' ? null : readRules(text);
  const use = (): void => {
    if (read?.ok !== true) return;
    onRules(read.value);
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Paste rules"
      description="In the form Copy produces. Replaces all rules in the form."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isDisabled={read?.ok !== true} onClick={use}>
            Use these rules
          </Button>
        </>
      }
    >
      <Field
        label="Rules as JSON"
        error={read?.ok === false ? read.why : null}
        hint="Missing fields take their defaults."
      >
        <Textarea data-first isMono rows={12} value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
    </Dialog>
  );
}
