// The one short sound.

const LENGTH_S = 0.18;

/** Two soft notes. A browser that has no sound, or none yet without a press, stays silent. */
export function playTone(): void {
  if (!('AudioContext' in window)) return;
  const context = new AudioContext();
  const volume = context.createGain();
  volume.connect(context.destination);
  volume.gain.setValueAtTime(0.0001, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.08, context.currentTime + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, context.currentTime + 2 * LENGTH_S);
  [660, 880].forEach((frequency, index) => {
    const note = context.createOscillator();
    note.frequency.value = frequency;
    note.connect(volume);
    note.start(context.currentTime + index * LENGTH_S);
    note.stop(context.currentTime + (index + 1) * LENGTH_S);
    if (index === 1) note.addEventListener('ended', () => void context.close());
  });
}
