// Announcements through the system, which stay clickable for as long as the system shows them.
import { Notification } from 'electron';

/** An object that nothing refers to may be collected, and its click is lost then. */
const shown = new Set<Notification>();
/** A system that never says that one was closed must not keep them all. */
const SHOWN_MAX = 50;

/** Does nothing where the system has no announcements. */
export function notify(title: string, body: string, clicked: () => void): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title, body });
  const forget = (): void => void shown.delete(notification);
  notification.on('click', () => {
    forget();
    clicked();
  });
  notification.on('close', forget);
  notification.on('failed', forget);
  shown.add(notification);
  const [oldest] = shown;
  if (shown.size > SHOWN_MAX && oldest !== undefined) shown.delete(oldest);
  notification.show();
}
