// A few rows as they would be written: what trains in them, their values as a tree, their text.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { SampleRow } from '../../../shared/contract/export.ts';
import { tryJson } from '../../../shared/json.ts';
import { JsonTree } from '../../parts/text/JsonTree.tsx';
import { formatSize } from '../../parts/text/size.ts';
import { useKeys } from '../../state/hooks.ts';
import { episodeRoute, formatRoute } from '../../state/route.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { MaskPreview } from './MaskPreview.tsx';
import * as styles from './Samples.module.css';

type SampleLook = 'mask' | 'tree' | 'text';

export function Samples({ samples }: { samples: readonly SampleRow[] }): ReactNode {
  const [wanted, setWanted] = useState(0);
  const [look, setLook] = useState<SampleLook>('mask');
  const at = Math.min(wanted, samples.length - 1);
  const go = (by: 1 | -1): void => setWanted((at + by + samples.length) % samples.length);
  useKeys({
    next: () => go(1),
    previous: () => go(-1),
    view: () => setLook(look === 'mask' ? 'tree' : look === 'tree' ? 'text' : 'mask'),
  });
  const sample = samples[at];
  const value = useMemo(() => parseSample(sample?.json ?? ''), [sample]);
  if (sample === undefined) return null;
  return (
    <section className="framed" aria-label="Sample rows">
      <header className={styles.head}>
        <h3 className="strong">
          <span role="status">{`Sample ${String(at + 1)} of ${String(samples.length)}`}</span>
        </h3>
        <IconButton
          label="Previous sample"
          chord="previous"
          icon={<ChevronLeft />}
          isDisabled={samples.length < 2}
          onClick={() => go(-1)}
        />
        <IconButton
          label="Next sample"
          chord="next"
          icon={<ChevronRight />}
          isDisabled={samples.length < 2}
          onClick={() => go(1)}
        />
        <a href={formatRoute(episodeRoute(sample.episode))}>Its episode</a>
        <span className={styles.size}>{formatSize(sample.json)}</span>
        <CopyButton text={sample.json} label="Copy the row" />
      </header>
      <Tabs
        label="View of the row"
        current={look}
        onChoose={setLook}
        tabs={[
          { id: 'mask', label: 'What trains', panel: <MaskPreview key={at} mask={sample.mask} /> },
          {
            id: 'tree',
            label: 'Values',
            panel: (
              <div className={styles.body}>
                <JsonTree key={at} value={value} label="the row" />
              </div>
            ),
          },
          {
            id: 'text',
            label: 'JSON',
            panel: (
              <pre className={styles.body} tabIndex={0} aria-label="The row as JSON">
                {sample.json}
              </pre>
            ),
          },
        ]}
      />
    </section>
  );
}

function parseSample(json: string): unknown {
  const value = tryJson(json);
  // Not JSON after all: shown as the text it is.
  return value === undefined ? json : value;
}
