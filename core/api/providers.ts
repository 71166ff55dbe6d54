import * as z from 'zod';
import type { Provider } from '../catalogue/catalogue.ts';
import { allows } from '../connect-sessions/session.ts';
import { ServiceError } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import { defineRoute } from '../http/route.ts';
import { logoUrl } from '../integrations/integration-record.ts';
import { integrationsOf } from '../integrations/integration-store.ts';
import { PROVIDER } from './examples.ts';
import type { ApiServices } from './services.ts';

/** The catalogue entry as it is in its file; `docs/` describes its members. */
const record = z.looseObject({ name: z.string(), display_name: z.string(), auth_mode: z.string(), logo_url: z.url() });
const ACCESS = { scope: 'environment:integrations:list', orSession: true } as const;

const list = defineRoute({
  method: 'GET',
  path: '/providers',
  operationId: 'listProviders',
  access: ACCESS,
  summary: 'List providers; with a connect session token, those of its integrations',
  tag: 'Providers',
  query: z.strictObject({
    search: z.string().max(255).optional().meta({ description: 'a part of the name', example: 'git' }),
  }),
  responses: {
    200: { description: 'All that match.', schema: z.strictObject({ data: z.array(record) }), example: { data: [PROVIDER] } },
  },
  async handle(services: ApiServices, { caller, query }) {
    const mayShow = await visibility(services, caller);
    const providers = services.catalogue.list(query.search).filter(({ slug }) => mayShow(slug));
    return { body: { data: providers.map((provider) => providerRecord(provider, services.baseUrl)) } };
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/providers/:slug',
  operationId: 'getProvider',
  access: ACCESS,
  summary: 'Read a provider',
  tag: 'Providers',
  params: z.strictObject({
    slug: z.string().min(1).max(255).meta({ description: 'the name of a provider', example: PROVIDER.name }),
  }),
  responses: {
    200: { description: 'The catalogue entry.', schema: z.strictObject({ data: record }), example: { data: PROVIDER } },
    404: { description: 'There is no such provider.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const provider = services.catalogue.find(params.slug);
    const mayShow = await visibility(services, caller);
    if (provider === undefined || !mayShow(provider.slug)) throw new ServiceError('not_found', 'there is no such provider');
    return { body: { data: providerRecord(provider, services.baseUrl) } };
  },
});

const logo = defineRoute({
  method: 'GET',
  path: '/logos/:file',
  operationId: 'getLogo',
  access: 'public',
  summary: 'The logo of a provider',
  tag: 'Providers',
  params: z.strictObject({
    file: z
      .string()
      .regex(/^[a-z0-9-]{1,64}\.svg$/)
      .meta({ description: 'the provider’s name and `.svg`', example: 'github.svg' }),
  }),
  responses: { 200: { description: 'The logo.', type: 'image/svg+xml' }, 404: { description: 'There is none.' } },
  async handle(services: ApiServices, { params }) {
    const body = await services.catalogue.logo(params.file.slice(0, -'.svg'.length));
    if (body === undefined) throw new ServiceError('not_found', 'there is no such logo');
    return { type: 'image/svg+xml', body, headers: { 'cache-control': 'public, max-age=3600' } };
  },
});

export const providerRoutes = [list, read, logo];

function providerRecord({ slug, definition }: Provider, baseUrl: string): Record<string, unknown> {
  return { ...definition, name: slug, logo_url: logoUrl(baseUrl, slug) };
}

async function visibility(services: ApiServices, caller: Caller): Promise<(slug: string) => boolean> {
  if (caller.kind !== 'session') return () => true;
  const { session } = caller;
  const integrations = await integrationsOf(services.db, session.environmentId);
  const slugs = new Set(integrations.filter(({ uniqueKey }) => allows(session, uniqueKey)).map(({ provider }) => provider));
  return (slug) => slugs.has(slug);
}
