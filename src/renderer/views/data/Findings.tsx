// Findings before writing: errors that stand in the way, warnings, notes, each with the way to where it is.
import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import { useState, type ComponentType, type ReactNode } from 'react';
import type { Finding } from '../../../shared/contract/export.ts';
import { cutText, oneLine } from '../../parts/episode/taskTitle.ts';
import { useTaskNames } from '../../parts/episode/useTaskNames.ts';
import { formatCount } from '../../parts/text/size.ts';
import { episodeRoute, formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { asSentence } from '../../ui/ErrorNote.tsx';
import * as styles from './Findings.module.css';

type FindingLevel = Finding['level'];
const FINDING_LEVELS: readonly {
  level: FindingLevel;
  label: string;
  Icon: ComponentType<{ 'aria-hidden'?: 'true' }>;
}[] = [
  { level: 'error', label: 'Errors', Icon: CircleAlert },
  { level: 'warning', label: 'Warnings', Icon: TriangleAlert },
  { level: 'note', label: 'Notes', Icon: Info },
];

type FindingsProps = {
  label: string;
  findings: readonly Finding[];
  despite: ReadonlySet<string>;
  onDespite: (despite: ReadonlySet<string>) => void;
};

export function Findings({ label: name, findings, despite, onDespite }: FindingsProps): ReactNode {
  const [asked, setAsked] = useState<Finding | null>(null);
  if (findings.length === 0) return <p className={styles.none}>No problems found.</p>;
  const turn = (check: string, isTaken: boolean): void => {
    const next = new Set(despite);
    if (isTaken) next.add(check);
    else next.delete(check);
    onDespite(next);
  };
  return (
    <section className={styles.findings} aria-label={name}>
      {FINDING_LEVELS.map(({ level, label, Icon }) => {
        const own = findings.filter((finding) => finding.level === level);
        if (own.length === 0) return null;
        return (
          <Level
            key={level}
            level={level}
            heading={
              <>
                <Icon aria-hidden="true" />
                {level === 'note' ? formatCount(own.length, 'note') : label}
              </>
            }
          >
            <ul className={styles.list}>
              {own.map((finding) => (
                <li key={finding.check + finding.message} className={styles.finding}>
                  <p>
                    {asSentence(finding.message)} <code className={styles.check}>{finding.check}</code>
                  </p>
                  <Places finding={finding} />
                  {level !== 'error' ? null : despite.has(finding.check) ? (
                    <p className={styles.taken}>
                      Will be exported anyway.
                      <Button size="small" tone="quiet" onClick={() => turn(finding.check, false)}>
                        Undo
                      </Button>
                    </p>
                  ) : (
                    <Button size="small" tone="danger" onClick={() => setAsked(finding)}>
                      Export anyway…
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </Level>
        );
      })}
      {asked === null ? null : (
        <Despite
          finding={asked}
          onClose={() => setAsked(null)}
          onTake={() => {
            turn(asked.check, true);
            setAsked(null);
          }}
        />
      )}
    </section>
  );
}

type LevelProps = { level: FindingLevel; heading: ReactNode; children: ReactNode };

/** Notes ask for nothing: they are folded. */
const Level = ({ level, heading, children }: LevelProps): ReactNode =>
  level === 'note' ? (
    <details className={styles.notes}>
      <summary>
        <h3 className={styles.heading}>{heading}</h3>
      </summary>
      {children}
    </details>
  ) : (
    <div className={cx(styles.level, styles[level])}>
      <h3 className={styles.heading}>{heading}</h3>
      {children}
    </div>
  );

const PLACE_WORDS_MAX = 60;
const placeText = (name: string, n: number | null): string =>
  `${cutText(oneLine(name), PLACE_WORDS_MAX)}${n === null ? '' : `, event ${String(n)}`}`;

const PLACES_SHOWN = 5;

/** The first places it was found at; a replay opens there. */
function Places({ finding: { at, count } }: { finding: Finding }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const names = useTaskNames({ episodes: at.map(({ episode }) => episode) });
  if (at.length === 0) return null;
  return (
    <p className={styles.places}>
      {at.slice(0, isOpen ? at.length : PLACES_SHOWN).map(({ episode, n }) => (
        <a key={`${episode} ${String(n)}`} title={episode} href={formatRoute(episodeRoute(episode, n))}>
          {placeText(names.ofEpisode(episode) ?? episode, n)}
        </a>
      ))}
      {isOpen || at.length <= PLACES_SHOWN ? null : (
        <Button size="small" tone="quiet" onClick={() => setIsOpen(true)}>
          {`Show ${String(at.length - PLACES_SHOWN)} more`}
        </Button>
      )}
      {(isOpen || at.length <= PLACES_SHOWN) && count > at.length ? (
        <span className={styles.quiet}>{`and ${(count - at.length).toLocaleString()} more`}</span>
      ) : null}
    </p>
  );
}

function Despite({
  finding,
  onClose,
  onTake,
}: {
  finding: Finding;
  onClose: () => void;
  onTake: () => void;
}): ReactNode {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="small"
      title={`Write despite ${finding.check.replaceAll('_', ' ')}?`}
      footer={
        <>
          <Button data-first onClick={onClose}>
            Keep the error
          </Button>
          <Button tone="danger" onClick={onTake}>
            {`Write despite ${finding.check.replaceAll('_', ' ')}`}
          </Button>
        </>
      }
    >
      <p>{asSentence(finding.message)}</p>
      <p className={styles.quiet}>The rows stay as they are. You will be asked again if the rules change.</p>
    </Dialog>
  );
}
