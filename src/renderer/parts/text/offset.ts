// Formats the time since an episode began.

/** `0.4 s`, `42 s`, `+3:05`, `+1:02:03`: as precise as its size is worth. Without its plus it reads as a time of day. */
export function formatOffset(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${String(Math.floor(seconds))} s`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const rest = String(Math.floor(seconds % 60)).padStart(2, '0');
  return hours === 0
    ? `+${String(minutes)}:${rest}`
    : `+${String(hours)}:${String(minutes).padStart(2, '0')}:${rest}`;
}
