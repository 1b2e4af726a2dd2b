// The button that brings logs in from files or a folder.
import { FileInput, FolderInput, Import } from 'lucide-react';
import { useRef, type ChangeEvent, type ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import * as styles from './Imports.module.css';
import { chosenFiles } from './sendFiles.ts';
import type { Imports } from './useImports.ts';

type ImportButtonProps = Pick<Imports, 'send'> & {
  /** Opens its menu, as its address asks for. */
  isAsked: boolean;
  onOpened: () => void;
};

export function ImportButton({ send, isAsked, onOpened }: ImportButtonProps): ReactNode {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    if (currentTarget.files !== null) send(chosenFiles(currentTarget.files));
    // The same file can be chosen again.
    currentTarget.value = '';
  };
  return (
    <>
      <Menu
        trigger={<Button icon={<Import />}>Import…</Button>}
        isAsked={isAsked}
        onAsked={onOpened}
        items={[
          { label: 'Files…', icon: <FileInput />, onChoose: () => files.current?.click() },
          { label: 'A folder…', icon: <FolderInput />, onChoose: () => folder.current?.click() },
        ]}
      />
      <input
        ref={files}
        className={styles.input}
        type="file"
        multiple
        hidden
        aria-label="Files to import"
        onChange={take}
      />
      <input
        ref={(input) => {
          folder.current = input;
          input?.setAttribute('webkitdirectory', '');
        }}
        className={styles.input}
        type="file"
        hidden
        aria-label="Folder to import"
        onChange={take}
      />
    </>
  );
}
