// Figures as many side by side as there is room for.
import type { ReactNode } from 'react';
import type { Drawing } from '../../../figures/frame.ts';
import * as styles from './FigureView.module.css';
import { FigureView } from './FigureView.tsx';

export const FigureList = ({ drawings }: { drawings: readonly Drawing[] }): ReactNode => (
  <div className={styles.list}>
    {drawings.map((drawing) => (
      <FigureView key={drawing.name} drawing={drawing} />
    ))}
  </div>
);
