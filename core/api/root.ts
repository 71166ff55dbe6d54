import * as z from 'zod';
import { defineRoute } from '../http/route.ts';
import type { ClientSockets } from './client-sockets.ts';

interface RootServices {
  readonly baseUrl: string;
  readonly clientSockets?: ClientSockets | undefined;
}

export const rootRoutes = [
  defineRoute({
    method: 'GET',
    path: '/',
    operationId: 'getRoot',
    access: 'public',
    tag: 'Operation',
    summary: 'Redirect to the documentation',
    query: z.looseObject({}),
    responses: { 302: { description: 'To `/docs`.' } },
    handle: async ({ baseUrl }: RootServices) => ({ status: 302, headers: { location: `${baseUrl}/docs` } }),
    socket: {
      isOffered: ({ clientSockets }) => clientSockets !== undefined,
      open: async ({ clientSockets }, exchange) => clientSockets?.open(exchange),
    },
  }),
];
