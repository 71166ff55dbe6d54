import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const [delayMs = '0', addresses = '1'] = process.argv.slice(2);
let renewals = 0;

/** Responds to each token refresh after a delay, with a new refresh token. */
const respond: RequestListener = async (request, response) => {
  request.resume();
  await wait(Number(delayMs));
  renewals += 1;
  const tokens = { access_token: `renewed-${renewals}`, refresh_token: `refresh-again-${renewals}`, expires_in: 3600 };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(tokens));
};

/** The port, which is the same on each of the addresses 127.0.0.1, 127.0.0.2 …, at which svc sees different origins. */
let port = 0;
for (let number = 1; number <= Number(addresses); number += 1) {
  const server = createServer(respond).listen(port, `127.0.0.${number}`);
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
}
console.log(port);
