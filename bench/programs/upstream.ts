import { createServer } from 'node:http';
import { tellPort } from './tell-port.ts';

const BODY = JSON.stringify({ items: Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}` })) });

/** The API behind every proxy: a small JSON response, as cheap as Node makes it. */
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(BODY) });
  response.end(BODY);
});
server.keepAliveTimeout = 60_000;
tellPort(server);
