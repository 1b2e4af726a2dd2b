// Sets the kept theme before the first paint, so that a dark room never sees a white flash. `applyTheme` takes over.
try {
  const theme = JSON.parse(localStorage.getItem('interject.theme') ?? 'null');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  if (theme === 'contrast') document.documentElement.dataset['contrast'] = 'more';
} catch {
  // Storage the browser forbids keeps no theme.
}
