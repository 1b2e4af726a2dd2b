/** Saves a file where the person's browser saves files. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // A large one is still being written when this returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
