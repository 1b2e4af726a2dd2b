// Owns: turning what was recorded into training data: what would be in it, what is left out and why, and writing it.
import { useState, type ReactNode } from 'react';
import { Tabs } from '../../ui/Tabs.tsx';
import styles from './DataView.module.css';
import { ExportPanel } from './ExportPanel.tsx';
import { FORMATS, SHOWN, type ShownFormat } from './rules.ts';

export function DataView(): ReactNode {
  const [format, setFormat] = useState<ShownFormat>('sft');
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['heading']}>Data</h1>
        <p className={styles['lead']}>
          Training rows from the recorded episodes, each with where it came from.
        </p>
      </header>
      <Tabs
        label="Format"
        current={format}
        onChoose={setFormat}
        tabs={SHOWN.map((id) => ({
          id,
          label: FORMATS[id].label,
          panel: <ExportPanel key={id} format={id} />,
        }))}
      />
    </div>
  );
}
