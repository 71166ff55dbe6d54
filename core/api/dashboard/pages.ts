import * as z from 'zod';
import { pagePolicy } from '../../server/pages/page-policy.ts';
import { defineRoute, type Reply } from '../../server/route.ts';
import { needsSetup } from '../../tenants/members/setup.ts';
import { assetsOf, builtPage, NOT_BUILT_RESPONSE, UI_TAG } from '../built-pages.ts';
import type { ApiServices } from '../services.ts';

/** The paths below which the dashboard's pages are. Which pages there are is decided by the scripts of the page itself. */
const PLACES = {
  '/setup': 'The page on which the first admin is created',
  '/login': 'The page on which members of the team sign in',
  '/join': 'The page on which somebody with a one-time link chooses a password',
  '/e': 'The dashboard: the pages of an environment, also at every address below',
  '/account': 'The dashboard: the pages of the signed-in member, also at every address below',
};

const pages = Object.entries(PLACES).map(([path, summary]) =>
  defineRoute({
    method: 'GET',
    path,
    isPage: 'tree',
    operationId: `get${path.charAt(1).toUpperCase()}${path.slice(2)}Page`,
    access: 'public',
    summary,
    tag: UI_TAG,
    params: z.looseObject({}),
    responses: {
      200: { description: 'The page.', type: 'text/html' },
      503: NOT_BUILT_RESPONSE,
      ...(path === '/setup' && { 404: { description: 'The instance has already been set up.', type: 'text/html' } }),
    },
    async handle(services: ApiServices) {
      // After the setup there is no setup page any more, hence the status; the page itself links to the sign-in.
      const isOver = path === '/setup' && !(await needsSetup(services));
      return dashboardPage(services, isOver ? 404 : 200);
    },
  }),
);

export const dashboardPageRoutes = [...pages, assetsOf('dashboard', 'the dashboard')];

function dashboardPage(services: ApiServices, status: number): Reply {
  return builtPage(services, {
    file: 'dashboard/index.html',
    status,
    settings: { version: services.version },
    headers: {
      'content-security-policy': pagePolicy({ baseUri: "'self'", frameAncestors: "'none'", frameSrc: "'self'" }),
      // Allows popups: connect links are opened from the dashboard, and their pages open popups.
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'x-robots-tag': 'noindex',
    },
  });
}
