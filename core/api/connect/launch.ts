import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { launchFlow } from '../../connect/flows/launch.ts';
import { staticRoutes } from '../../server/pages/static-ui.ts';
import { defineRoute } from '../../server/route.ts';
import type { ApiServices } from '../services.ts';
import { browserIdsFrom, flowCookie, newBrowserId, newFlowCookies } from './flow-cookie.ts';
import { pageLanguage } from './page-texts/page-language.ts';
import { refusalPage } from './result-page.ts';

const FOLDER = fileURLToPath(new URL('../../../ui/', import.meta.url));

const launch = defineRoute({
  method: 'POST',
  path: '/connect/launch',
  operationId: 'launchFlow',
  access: 'public',
  summary: 'Get the page to which the launch page redirects the browser',
  tag: 'Authorization',
  body: z.strictObject({
    launch_id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{22,64}$/)
      .meta({ description: '`launch_id` of `POST /connect/flows`' }),
  }),
  bodyExample: { launch_id: 'Zk3mB1pQ9xTt6Yc0aHs4vQ' },
  responses: {
    200: {
      description:
        '`waiting`: the flow has not begun yet. `ready`, returned once: the URL of the provider’s page, and the cookie that binds the ' +
        'flow to the browser. `ended`: the flow has failed, was launched before, or began more than two minutes ago.',
      schema: z.strictObject({
        data: z.discriminatedUnion('state', [
          z.strictObject({ state: z.enum(['waiting', 'ended']) }),
          z.strictObject({ state: z.literal('ready'), location: z.url() }),
        ]),
      }),
      example: { data: { state: 'ready', location: 'https://provider.example.com/authorize?client_id=example&state=example' } },
    },
  },
  async handle(services: ApiServices, { body: { launch_id: launchId }, headers }) {
    const [known] = browserIdsFrom(headers.cookie, services.baseUrl);
    const browserId = known ?? newBrowserId();
    const data = await launchFlow(services, { launchId, browserId });
    if (data.state !== 'ready') return { body: { data } };
    const { baseUrl } = services;
    const cookies = known === undefined ? newFlowCookies(browserId, baseUrl) : flowCookie(browserId, baseUrl);
    return { body: { data }, headers: { 'set-cookie': cookies } };
  },
});

/**
 * The page that a window opens in the user's click, before there is a flow. It is a top-level page of this service, so that
 * browsers accept its cookie.
 */
const files = staticRoutes(FOLDER, [
  { path: '/connect/launch', file: 'launch/launch.html', errorPage: refusalPage, language: pageLanguage },
  { path: '/connect/launch.js', file: 'launch/launch.js' },
  { path: '/connect/tokens.css', file: 'kit/tokens.css' },
  { path: '/connect/launch.css', file: 'launch/launch.css' },
  { path: '/connect/result.js', file: 'launch/result.js' },
  { path: '/connect/client.js', file: 'launch/client.js' },
]);

export const launchRoutes = [launch, ...files];
