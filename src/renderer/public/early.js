// What need not wait for the console's scripts. First the kept theme, before the first paint, so that a dark room never
// sees a white flash; `applyTheme` takes over.
try {
  const theme = JSON.parse(localStorage.getItem('interject.theme') ?? 'null');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  if (theme === 'contrast') document.documentElement.dataset['contrast'] = 'more';
} catch {
  // Storage the browser forbids keeps no theme.
}
// Then the line to the server, with what every console asks first: `client/earlyLine.ts` takes it over. Entry and seat
// are those that `client/identity.ts` would choose; an address with a token is for that to change into a cookie first.
try {
  const entry = sessionStorage.getItem('interject.entry') || localStorage.getItem('interject.entry') || '';
  const hasToken = /[#&]token=/.test(location.hash);
  const kept = localStorage.getItem('interject.seat') ?? '';
  const invited = /^([a-z0-9-]{4,40})\.[0-9a-f]{32}$/.exec(entry)?.[1];
  const seat =
    invited ??
    (/^[a-z0-9-]{4,40}$/.test(kept)
      ? kept
      : `seat-${[...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`);
  if (entry !== '' && !hasToken && location.protocol.startsWith('http') && !('interject' in window)) {
    if (invited === undefined) localStorage.setItem('interject.seat', seat);
    const origin = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}`;
    const socket = new WebSocket(`${origin}/console/${entry}?seat=${encodeURIComponent(seat)}`);
    const asked = [
      // The version is `SOCKET_VERSION` of the contract.
      { type: 'hello', id: -3, version: 1 },
      { type: 'subscribe', id: -1, topic: { topic: 'desk' } },
      { type: 'request', id: -2, method: 'app.describe', input: {} },
    ];
    const frames = [];
    const keep = ({ data }) => frames.push(data);
    socket.addEventListener('message', keep);
    socket.addEventListener('open', () => {
      for (const message of asked) socket.send(JSON.stringify(message));
    });
    const take = () => {
      socket.removeEventListener('message', keep);
      return frames;
    };
    window.interjectEarly = { origin, entry, seat, socket, asked, take };
  }
} catch {
  // The console opens its own line.
}
