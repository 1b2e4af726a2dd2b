// The launcher (`npm start`, `interject`) keeps a channel open to the process it starts. When the launcher is killed, the
// channel closes, and the process ends as it would when asked to.

/** Nothing where no launcher started this process. The channel by itself keeps nothing running. */
export function endWithLauncher(): void {
  if (process.channel === undefined || process.channel === null) return;
  process.once('disconnect', () => {
    if (!process.emit('SIGTERM', 'SIGTERM')) process.kill(process.pid, 'SIGTERM');
  });
  process.channel.unref();
}
