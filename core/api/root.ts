import * as z from 'zod';
import type { BuiltUi } from '../server/pages/built-ui.ts';
import { defineRoute } from '../server/route.ts';
import type { ClientSockets } from './connect/client-sockets.ts';

interface RootServices {
  readonly baseUrl: string;
  readonly ui?: BuiltUi | undefined;
  readonly clientSockets?: ClientSockets | undefined;
}

export const rootRoutes = [
  defineRoute({
    method: 'GET',
    path: '/',
    operationId: 'getRoot',
    access: 'public',
    tag: 'Operation',
    summary: 'Redirect to the dashboard',
    query: z.looseObject({}),
    responses: { 302: { description: 'Redirect to `/e`, or to `/docs/reference` if no pages have been built.' } },
    handle: async ({ baseUrl, ui }: RootServices) => ({
      status: 302,
      headers: { location: `${baseUrl}/${ui === undefined ? 'docs/reference' : 'e'}` },
    }),
    socket: {
      isOffered: ({ clientSockets }) => clientSockets !== undefined,
      open: async ({ clientSockets }, exchange) => clientSockets?.open(exchange),
    },
  }),
];
