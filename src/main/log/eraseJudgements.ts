// Removes what reviewers or a model wrote about an episode from annotation projects when the episode is erased.
import { ANNOTATE_PREFIX } from '../../shared/events/annotations.ts';
import { parseJson } from '../../shared/json.ts';
import type { Database } from './database.ts';

type JsonLeaf = unknown;
type JudgementBody = Record<string, JsonLeaf>;
type JudgementRow = { seq: number; stream: string; body: string };

/** Ways to take words out: all of them, or one text wherever it stands. */
export type Taking = { text: (text: string) => string; move: (move: JudgementBody) => JudgementBody };

const PROJECTS = `${ANNOTATE_PREFIX}*`;

/** The events of all projects that say something about the episode, as they are without those words. */
export function judgementsWithout(
  db: Database,
  episode: string,
  taking: Taking,
): { seq: number; before: JudgementBody; after: JudgementBody }[] {
  const added = db
    .prepare<[string, string], JudgementRow>(
      "SELECT seq, stream, body FROM events WHERE stream GLOB ? AND kind = 'items.added' AND instr(body, ?) > 0",
    )
    .all(PROJECTS, JSON.stringify(episode));
  const items = new Set(added.flatMap(({ stream, body }) => itemsOf(body, episode).map(placeIn(stream))));
  if (items.size === 0) return [];
  return db
    .prepare<[string], JudgementRow>('SELECT seq, stream, body FROM events WHERE stream GLOB ? ORDER BY seq')
    .all(PROJECTS)
    .flatMap(({ seq, stream, body }) => {
      const before = parseJson(body) as JudgementBody;
      const { item } = before;
      const isSaidOfIt = typeof item === 'string' && items.has(placeIn(stream)(item));
      if (before['kind'] !== 'items.added' && !isSaidOfIt) return [];
      const after = eventWithout(before, episode, taking);
      return JSON.stringify(after) === body ? [] : [{ seq, before, after }];
    });
}

const placeIn =
  (stream: string) =>
  (item: string): string =>
    `${stream} ${item}`;

function itemsOf(body: string, episode: string): string[] {
  const { items } = parseJson(body) as { items: { item: string; subject: JudgementBody }[] };
  return items.flatMap(({ item, subject }) => (isAboutEpisode(subject, episode) ? [item] : []));
}

const isAboutEpisode = (subject: JudgementBody, episode: string): boolean =>
  [subject, subject['left'], subject['right']].some((one) => isBody(one) && one['episode'] === episode);

const isBody = (value: JsonLeaf): value is JudgementBody =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keeps the words about the other episode of a pair. */
function eventWithout(event: JudgementBody, episode: string, taking: Taking): JudgementBody {
  if (event['kind'] === 'items.added') {
    const items = event['items'] as { subject: JudgementBody }[];
    const cleaned = items.map((one) => ({
      ...one,
      subject: candidatesWithout(one.subject, episode, taking),
    }));
    return { ...event, items: cleaned };
  }
  const { target } = event;
  if (isBody(target) && target['episode'] !== episode) return event;
  const changed = candidatesWithout(event, episode, taking);
  for (const field of ['reason'])
    if (typeof changed[field] === 'string') changed[field] = taking.text(changed[field]);
  for (const field of ['value', 'correct'])
    if (isBody(changed[field])) changed[field] = saidWithout(changed[field], taking);
  return changed;
}

/** Both sides of a pair, where a side is a move that could have been made in the episode. */
function candidatesWithout(holder: JudgementBody, episode: string, taking: Taking): JudgementBody {
  const changed = { ...holder };
  for (const side of ['left', 'right']) {
    const one = changed[side];
    if (isBody(one) && one['episode'] === episode) changed[side] = saidWithout(one, taking);
  }
  return changed;
}

/** A value, a correction or a candidate: its text or its move. */
function saidWithout(said: JudgementBody, taking: Taking): JudgementBody {
  const changed = { ...said };
  if (typeof changed['text'] === 'string') changed['text'] = taking.text(changed['text']);
  if (isBody(changed['move'])) changed['move'] = taking.move(changed['move']);
  return changed;
}
