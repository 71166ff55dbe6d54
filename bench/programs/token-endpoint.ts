import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { tellPort } from './tell-port.ts';

const [delayMs = '0'] = process.argv.slice(2);
let renewals = 0;

/** A token endpoint that takes some time for each renewal, and rotates the refresh token. */
tellPort(
  createServer(async (request, response) => {
    request.resume();
    await wait(Number(delayMs));
    renewals += 1;
    const tokens = { access_token: `renewed-${renewals}`, refresh_token: `refresh-again-${renewals}`, expires_in: 3600 };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(tokens));
  }),
);
