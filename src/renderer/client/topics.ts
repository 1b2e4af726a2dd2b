// Where a subscription goes on after a gap.
import type { Push, Topic } from '../../shared/contract/envelope.ts';

/** The topic as it must be asked for to get what follows `push`. */
export function topicAfter(topic: Topic, push: Push): Topic {
  if (topic.topic !== 'episode' || push.topic !== 'episode') return topic;
  const last = push.events.at(-1)?.n ?? topic.after;
  return last > topic.after ? { ...topic, after: last } : topic;
}
