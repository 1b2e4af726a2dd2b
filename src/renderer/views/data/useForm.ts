// The form of an export: the format, the rules, the kind of files. Kept over a reload; the address names the format.
import { useCallback, useEffect, useState } from 'react';
import { z } from 'zod';
import { ExportFormat, ExportRules } from '../../../shared/contract/export.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { FORMATS } from '../../../shared/export/formats.ts';
import { navigate, useRoute } from '../../state/route.ts';
import { changeUi, type ExportChoice } from '../../state/store.ts';
import { DEFAULT_RULES } from './rulesModel.ts';

const FileKind = z.enum(['jsonl', 'parquet']);
type FileKind = z.infer<typeof FileKind>;

export type ExportForm = {
  format: ExportFormat;
  rules: ExportRules;
  files: FileKind;
  hasKit: boolean;
  onFormat: (format: ExportFormat) => void;
  onRules: (rules: ExportRules) => void;
  onFiles: (files: FileKind) => void;
  onKit: (hasKit: boolean) => void;
};

/** The rules with the episodes that the list of episodes handed over in place of what was chosen before. */
const withChoice = (rules: ExportRules, choice: ExportChoice): ExportRules =>
  'episodes' in choice
    ? { ...rules, episodes: [...choice.episodes], filter: {} }
    : { ...rules, episodes: null, filter: choice.filter };

export function useForm(): ExportForm {
  const { kept, store } = useSession();
  const route = useRoute();
  const named = route.view === 'data' ? ExportFormat.safeParse(route.format).data : undefined;
  const [last, setLast] = useState(() => kept.read('data-format', ExportFormat, 'sft'));
  const format = named ?? last;
  const [rules, setRules] = useState(() => kept.read('data-rules', ExportRules, DEFAULT_RULES));
  const [files, setFiles] = useState(() => kept.read('data-files', FileKind, 'jsonl'));
  const [hasKit, setHasKit] = useState(() => kept.read('data-kit', z.boolean(), false));
  if (last !== format) setLast(format);
  useEffect(() => void kept.write('data-format', format), [kept, format]);
  useEffect(() => void kept.write('data-rules', rules), [kept, rules]);
  useEffect(() => void kept.write('data-files', files), [kept, files]);
  useEffect(() => void kept.write('data-kit', hasKit), [kept, hasKit]);

  const choice = useConsole(({ ui }) => ui.exportChoice);
  const [taken, setTaken] = useState<ExportChoice | null>(null);
  if (choice !== null && choice !== taken) {
    setTaken(choice);
    setRules(withChoice(rules, choice));
  }
  useEffect(() => {
    if (choice !== null) changeUi(store, () => ({ exportChoice: null }));
  }, [store, choice]);

  const onFormat = useCallback(
    (next: ExportFormat) => navigate({ view: 'data', format: next }, { replace: true }),
    [],
  );
  return {
    format,
    rules: format === 'sft' ? rules : { ...rules, preset: null },
    files: FORMATS[format].isLinesOnly === true ? 'jsonl' : files,
    hasKit,
    onFormat,
    onRules: setRules,
    onFiles: setFiles,
    onKit: setHasKit,
  };
}
