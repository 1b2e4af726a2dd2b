// The command palette: every place, every command, every episode by name, from the keyboard.
import { Command } from 'cmdk';
import * as Radix from 'radix-ui/dialog';
import { type ReactNode, useState } from 'react';
import type { DeskItem, EpisodeRow, HoldItem } from '../../../shared/episode/rowShapes.ts';
import { textHead } from '../../../shared/events/text.ts';
import { callSentence } from '../../../shared/sentences/sentence.ts';
import { rowWords, taskName } from '../../parts/episode/episodeRowText.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { useConsole, useDesk, useSession } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { type KeyId, keyRow, KEY_GROUPS } from '../../state/keys.ts';
import { useRole } from '../../state/role.ts';
import { episodeRoute, navigate } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { setSelected } from '../../state/choices.ts';
import { Kbd } from '../../ui/Kbd.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { holdKey } from '../../parts/desk/deskQueue.ts';
import { taskPlace, taskWords } from '../../parts/episode/taskTitle.ts';
import { paletteCommands, screenActs } from './commands.ts';
import * as styles from './Palette.module.css';

const PALETTE_EPISODES_MAX = 8;

export function Palette(): ReactNode {
  const { store } = useSession();
  const isOpen = useConsole(({ ui }) => ui.overlay === 'palette');
  const close = (): void =>
    changeUi(store, ({ overlay }) => (overlay === 'palette' ? { overlay: null } : {}));
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => (open ? undefined : close())}>
      <Radix.Portal>
        <Radix.Overlay className={styles.scrim} />
        <Radix.Content className={styles.palette} data-overlay="open" aria-describedby={undefined}>
          <Radix.Title className="quiet-label">Command palette</Radix.Title>
          <PaletteBody close={close} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function PaletteBody({ close }: { close: () => void }): ReactNode {
  const { store, keyboard } = useSession();
  const role = useRole();
  const [query, setQuery] = useState('');
  const episodes = useEpisodesNamed(query);
  const [acts] = useState(() => screenActs(keyboard.bound(), paletteCommands(store, role)));
  // Closed first: a command may open another overlay in its place.
  const choose = (run: () => void) => (): void => {
    close();
    run();
  };
  return (
    <Command label="Command palette" loop>
      <Command.Input
        className={styles.input}
        placeholder="Type a command or the name of an episode"
        value={query}
        onValueChange={setQuery}
      />
      <Command.List className={styles.list}>
        <Command.Empty className={styles.empty}>No results</Command.Empty>
        <PaletteWaiting choose={choose} />
        <Command.Group heading="Commands" className={styles.group}>
          {paletteCommands(store, role).map(({ label, key, run }) => (
            <Command.Item key={label} value={label} className={styles.item} onSelect={choose(run)}>
              <span className="one-line grows">{label}</span>
              {key === null ? null : <Kbd chord={key} />}
            </Command.Item>
          ))}
        </Command.Group>
        <PaletteActs acts={acts} choose={choose} />
        {episodes.length === 0 ? null : (
          <Command.Group heading="Episodes" className={styles.group} forceMount>
            {episodes.map((row) => (
              <Command.Item
                key={row.id}
                value={`episode ${row.id}`}
                forceMount
                className={styles.item}
                onSelect={choose(() => navigate(episodeRoute(row.id)))}
              >
                <span className="one-line grows">
                  <TaskWords text={rowWords(row)} />
                  <TaskPlace place={taskName(row)} episode={row.id} />
                </span>
                <RelativeTime at={row.started_at} className="quiet small" />
              </Command.Item>
            ))}
          </Command.Group>
        )}
      </Command.List>
    </Command>
  );
}

/** Questions, held calls and stops, oldest first. */
function PaletteWaiting({ choose }: { choose: (run: () => void) => () => void }): ReactNode {
  const { store } = useSession();
  const desk = useDesk();
  const waiting = paletteWaiting(desk).slice(0, PALETTE_EPISODES_MAX);
  if (waiting.length === 0) return null;
  return (
    <Command.Group heading="Waiting for you" className={styles.group}>
      {waiting.map(({ key, text, place, since }) => (
        <Command.Item
          key={key}
          value={`waiting ${key} ${text} ${place}`}
          className={styles.item}
          onSelect={choose(() => {
            setSelected(store, 'desk', key);
            navigate({ view: 'desk' });
          })}
        >
          <span className="one-line grows">
            <TaskWords text={text} />
          </span>
          <RelativeTime at={since} className="quiet small" />
        </Command.Item>
      ))}
    </Command.Group>
  );
}

/** Acts of the keys on the screen behind, for those who do not know the keys. */
function PaletteActs({
  acts,
  choose,
}: {
  acts: readonly KeyId[];
  choose: (run: () => void) => () => void;
}): ReactNode {
  const { keyboard } = useSession();
  if (acts.length === 0) return null;
  return (
    <Command.Group heading="On this screen" className={styles.group}>
      {acts.map((id) => {
        const { label, group } = keyRow(id);
        return (
          <Command.Item
            key={id}
            value={`${KEY_GROUPS[group]} ${label} ${id}`}
            className={styles.item}
            onSelect={choose(() => void keyboard.run(id))}
          >
            <span className="one-line grows">
              {label} <span className="quiet small">{KEY_GROUPS[group]}</span>
            </span>
            <Kbd chord={id} />
          </Command.Item>
        );
      })}
    </Command.Group>
  );
}

/** Episodes that match what is typed. Without them the palette still goes everywhere; the list of episodes says why. */
const useEpisodesNamed = (query: string): readonly EpisodeRow[] =>
  useAsk(
    'episodes.page',
    { query: query.slice(0, 200), status: null, condition: null, offset: 0, limit: PALETTE_EPISODES_MAX },
    { delayMs: 120 },
  ).value?.rows ?? [];

type WaitingLine = { key: string; text: string; place: string; since: number };

/** Oldest first, of every kind. */
const paletteWaiting = ({
  items,
  holds,
}: {
  items: readonly DeskItem[];
  holds: readonly HoldItem[];
}): WaitingLine[] =>
  [...items.map(questionLine), ...holds.map(holdLine)].toSorted((a, b) => a.since - b.since);

const taskOf = ({ task, ...place }: DeskItem | HoldItem): string =>
  taskWords({ ...place, task: task === null ? null : textHead(task) }, place.episode);

const questionLine = (item: DeskItem): WaitingLine => ({
  key: item.consultation,
  text: item.question === null ? taskOf(item) : textHead(item.question),
  place: taskPlace(item, item.episode),
  since: item.asked_at,
});

/** `Set the status of workflow 101 to active`; of a stopped episode its task. */
function holdLine(hold: HoldItem): WaitingLine {
  const call = hold.call ?? hold.doubt ?? null;
  return {
    key: holdKey(hold),
    text: call === null ? taskOf(hold) : callSentence({ name: call.tool_name }, call.arguments).text,
    place: taskPlace(hold, hold.episode),
    since: hold.since,
  };
}
