import { randomBytes, randomUUID } from 'node:crypto';
import type { Returning } from './authorization.ts';
import { createSession, mustBe, type Service } from './connect.ts';
import { type Client, type ClientResponse, client } from './http-client.ts';
import { WebWalker } from './web-walker.ts';

/** The parts of a service that the connect window and the launch page use. */
interface WindowService extends Service {
  /** Creates a client of the service. Default: a client that does not check responses against the API's description. */
  readonly client?: (key?: string) => Client;
}

interface Options {
  /** Default: the token of a new session. */
  readonly token?: string;
  readonly key?: string;
  readonly id?: string;
  readonly launchId?: string;
  readonly mode?: 'popup' | 'redirect';
}

/** A flow begun by a connect window, for a provider that the user must visit. */
export interface WindowFlow {
  readonly token: string;
  readonly id: string;
  readonly launchId: string;
  readonly response: ClientResponse;
  read(): Promise<ClientResponse['body']>;
  cancel(): Promise<ClientResponse>;
}

export function newLaunchId(): string {
  return randomBytes(16).toString('base64url');
}

export async function beginWindowFlow(app: WindowService, options: Options = {}): Promise<WindowFlow> {
  const { key = 'fake', id = randomUUID(), launchId = newLaunchId(), mode } = options;
  const token = options.token ?? (await createSession(app));
  const api = app.client?.(token) ?? client(app.url, token);
  const body = { id, integration_id: key, launch_id: launchId, ...(mode !== undefined && { mode }) };
  const response = await api.post('/connect/flows', body);
  return {
    token,
    id,
    launchId,
    response,
    read: async () => (await api.get(`/connect/flows/${id}`)).body.data,
    cancel: () => api.delete(`/connect/flows/${id}`),
  };
}

/** Sends the request by which the launch page asks for the provider's address. */
export function askLaunch({ url }: Pick<WindowService, 'url'>, launchId: string, walker = new WebWalker()) {
  return walker.visit(`${url}/connect/launch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ launch_id: launchId }),
  });
}

/** Goes from the launch page to the fake provider, which consents immediately, and stops before it visits the callback. */
export async function returnFromLaunch(
  app: Pick<WindowService, 'url'>,
  { launchId }: Pick<WindowFlow, 'launchId'>,
  walker = new WebWalker(),
): Promise<Returning> {
  const ready = await askLaunch(app, launchId, walker);
  mustBe(200, ready);
  const { location } = ready.body.data;
  if (location === undefined) throw new Error(`the flow was not launched: ${ready.text}`);
  const back = await walker.follow(location, (url) => url.includes('/oauth/callback'));
  if (!('stoppedAt' in back)) throw new Error(`the provider did not send the browser back: ${back.status}`);
  return { walker, callback: new URL(back.stoppedAt) };
}
