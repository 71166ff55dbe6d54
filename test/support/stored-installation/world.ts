import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../loopback-server.ts';
import { TestNet } from '../test-net.ts';

/** Stored installations can contain these host names because each test directs the names to a server in its own process. */
export const PROVIDER = 'https://provider.acme.example';
export const APPLICATION = 'https://app.acme.example';

/** The provider and the application that a stored installation calls. */
export interface World extends AsyncDisposable {
  readonly net: TestNet;
  /** The webhooks that the application received, as JSON. */
  readonly received: readonly { readonly type: string; readonly connectionId?: string }[];
}

/** @param tokens the refresh tokens that the provider accepts; each is replaced when it is used */
export async function openWorld(tokens: Set<string>): Promise<World> {
  const received: World['received'][number][] = [];
  let issued = 0;
  const refresh = (body: string) => {
    const presented = new URLSearchParams(body).get('refresh_token') ?? '';
    if (!tokens.delete(presented)) return { status: 400, body: { error: 'invalid_grant' } };
    issued += 1;
    const next = `${presented.split('~', 1)[0]}~${issued}`;
    tokens.add(next);
    return {
      status: 200,
      body: { access_token: `access-of-${next}`, refresh_token: next, token_type: 'bearer', expires_in: 3_600 },
    };
  };
  const server = await serve((request, response) => void handle(request, response));
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    if (request.url === '/hook') received.push(JSON.parse(body));
    const result =
      request.url === '/token' ? refresh(body) : { status: 200, body: { authorization: request.headers.authorization } };
    response.writeHead(result.status, { 'content-type': 'application/json' }).end(JSON.stringify(result.body));
  };
  const net = new TestNet();
  for (const url of [PROVIDER, APPLICATION]) net.add(new URL(url).hostname, server.url);
  return { net, received, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
