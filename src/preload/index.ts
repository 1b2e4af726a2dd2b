// The two functions a window has towards main. Nothing else crosses; main parses what it gets.
import { contextBridge, ipcRenderer } from 'electron';
import type { Bridge } from '../shared/contract/bridge.ts';

let lastId = 0;

const bridge: Bridge = {
  request: (method, input, seat) => ipcRenderer.invoke('interject:request', method, input, seat),
  subscribe: (topic, seat, onNews) => {
    lastId += 1;
    const id = lastId;
    const listener = (_event: unknown, to: number, news: string): void => {
      if (to === id) onNews(news);
    };
    ipcRenderer.on('interject:news', listener);
    ipcRenderer.send('interject:subscribe', id, topic, seat);
    return () => {
      ipcRenderer.off('interject:news', listener);
      ipcRenderer.send('interject:unsubscribe', id);
    };
  },
};

contextBridge.exposeInMainWorld('interject', bridge);
