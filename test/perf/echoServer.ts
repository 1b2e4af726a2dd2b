// A server that sends back what it gets, over `ws`, in a process of its own. Prints the address.
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', (data: Buffer, isBinary) => socket.send(data, { binary: isBinary }));
});
server.on('listening', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `ws://127.0.0.1:${String(port)}` })}\n`);
});
// Whoever started it is gone.
process.stdin.on('end', () => process.exit(0)).resume();
