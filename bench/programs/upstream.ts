import { createServer } from 'node:http';
import { tellPort } from './tell-port.ts';

const BODY = JSON.stringify({ items: Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}` })) });

/** The API that every proxy forwards to. It sends a small JSON response that costs as little as Node allows. */
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) });
  response.end(BODY);
});
server.keepAliveTimeout = 60_000;
tellPort(server);
