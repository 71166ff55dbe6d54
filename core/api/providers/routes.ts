import type { Knex } from 'knex';
import * as z from 'zod';
import type { Provider } from '../../catalogue/catalogue.ts';
import { PROOF, type Proof } from '../../catalogue/proof.ts';
import { providerDefinition } from '../../catalogue/provider-definition.ts';
import { allows } from '../../connections/connect-sessions/session.ts';
import { answeredProviders } from '../../connections/integrations/answered-store.ts';
import { allowedIn } from '../../connections/integrations/demo-provider.ts';
import { logoUrl } from '../../connections/integrations/integration-record.ts';
import { integrationsOf } from '../../connections/integrations/integration-store.ts';
import { probedProviders } from '../../connections/integrations/provider-probe-store.ts';
import { ServiceError } from '../../errors.ts';
import { type Caller, environmentOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { grants } from '../../tenants/api-keys/scopes.ts';
import { INTEGRATION_KEY, PROVIDER } from '../examples.ts';
import { count } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

/** A provider as in its `provider.json`, whose fields are described in `docs/`. */
const record = z
  .looseObject({
    name: z.string(),
    display_name: z.string(),
    auth_mode: z.string(),
    logo_url: z.url(),
    proof: z
      .strictObject({
        level: z.literal(Object.values(PROOF)).meta({
          description:
            '0 stated: only written down; 1 driven: the tests of this release run it against a stand-in for the provider; ' +
            '2 probed: the provider responds to calls without credentials as the definition says (`svc provider probe`); ' +
            '3 answered: the provider answered a call of one of the environment’s integrations with 2xx; shown only to keys that ' +
            'may list connections',
        }),
        at: z.iso
          .date()
          .nullable()
          .meta({
            description:
              'for 0 and 1: when it was last compared with the provider’s documentation; for 2: when it was probed; for 3: when it ' +
              'last answered, within ten minutes',
          }),
      })
      .meta({ description: 'how far the definition has been shown to work' }),
  })
  .meta({ id: 'Provider' });
const partOfRecord = record.partial().meta({ id: 'ProviderPart' });
/** The fields of a provider that the query parameter `fields` may select. */
const FIELDS = ['name', 'logo_url', 'proof', ...Object.keys(providerDefinition.shape)];
const MAX_LIMIT = 2000;
const CURSOR = /^[A-Za-z0-9_-]{1,100}$/;
const ACCESS = { scope: 'environment:integrations:list', orSession: true, inDashboard: true } as const;

const list = defineRoute({
  method: 'GET',
  path: '/providers',
  operationId: 'listProviders',
  access: ACCESS,
  summary: 'List providers; with a connect session token, those of its integrations; in production without the sandbox',
  tag: 'Providers',
  query: z
    .strictObject({
      search: z
        .string()
        .max(255)
        .optional()
        .meta({ description: 'part of the name, of a category or of the auth mode', example: 'git' }),
      category: z.string().min(1).max(255).optional().meta({ description: 'one of `categories`', example: 'dev-tools' }),
      auth_mode: providerDefinition.shape.auth_mode.optional().meta({ example: 'OAUTH2' }),
      fields: z
        .string()
        .max(2048)
        .transform((text) => text.split(','))
        .pipe(z.array(z.enum(FIELDS)).min(1))
        .optional()
        .meta({ description: 'members to return, comma-separated; default: all', example: 'name,display_name' }),
      limit: count({ from: 1, to: MAX_LIMIT }).optional().meta({ description: 'page size; default: all', example: 100 }),
      cursor: z
        .string()
        .regex(CURSOR, 'must be the next_cursor of a page')
        .optional()
        .meta({ description: '`next_cursor` of the previous page', example: toCursor(INTEGRATION_KEY) }),
    })
    .refine(({ limit, cursor }) => cursor === undefined || limit !== undefined, 'cursor requires limit'),
  responses: {
    200: {
      description: 'All matches, sorted by name; with `limit`, one page and `next_cursor`.',
      schema: z.strictObject({ data: z.array(partOfRecord), next_cursor: z.string().nullable().optional() }),
      example: { data: [PROVIDER] },
    },
  },
  async handle(services: ApiServices, { caller, query }) {
    const mayShow = await visibility(services, caller);
    const isAllowed = await allowedIn(services.db, environmentOf(caller));
    const found = services.catalogue
      .list(query.search)
      .filter((provider) => mayShow(provider) && isAllowed(provider) && matches(provider, query));
    const { page, ...more } = pageOf(found, query);
    const isProofWanted = query.fields === undefined || query.fields.includes('proof');
    const proofOf = isProofWanted ? await proofs(services, caller) : ({ proof }: Provider) => proof;
    const shown = page.map((provider) => pick(providerRecord(provider, proofOf(provider), services.baseUrl), query.fields));
    return { body: { data: shown, ...more } };
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/providers/:slug',
  operationId: 'getProvider',
  access: ACCESS,
  summary: 'Get a provider',
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
    if (provider === undefined || !mayShow(provider)) throw new ServiceError('not_found', 'there is no such provider');
    const proofOf = await proofs(services, caller);
    return { body: { data: providerRecord(provider, proofOf(provider), services.baseUrl) } };
  },
});

const logo = defineRoute({
  method: 'GET',
  path: '/logos/:file',
  operationId: 'getLogo',
  access: 'public',
  summary: 'Get the logo of a provider, or a monogram in its place',
  tag: 'Providers',
  params: z.strictObject({
    file: z
      .string()
      .regex(/^[a-z0-9-]{1,64}\.svg$/)
      .meta({ description: 'name of the provider and `.svg`', example: 'github.svg' }),
  }),
  responses: { 200: { description: 'The logo; a monogram if the provider has none, or does not exist.', type: 'image/svg+xml' } },
  async handle(services: ApiServices, { params }) {
    const body = await services.catalogue.logo(params.file.slice(0, -'.svg'.length));
    return { type: 'image/svg+xml', body, headers: { 'cache-control': 'public, max-age=3600' } };
  },
});

export const providerRoutes = [list, read, logo];

function providerRecord({ slug, definition }: Provider, proof: Proof, baseUrl: string): Record<string, unknown> {
  return { ...definition, name: slug, logo_url: logoUrl(baseUrl, slug), proof };
}

interface Filter {
  readonly category?: string | undefined;
  readonly auth_mode?: string | undefined;
}

function matches({ definition }: Provider, { category, auth_mode }: Filter): boolean {
  if (category !== undefined && !definition.categories?.includes(category)) return false;
  return auth_mode === undefined || definition.auth_mode === auth_mode;
}

interface ProviderPage {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

function pageOf(
  all: readonly Provider[],
  { limit, cursor }: ProviderPage,
): { page: readonly Provider[]; next_cursor?: string | null } {
  if (limit === undefined) return { page: all };
  const after = cursor === undefined ? '' : fromCursor(cursor);
  const rest = all.filter(({ slug }) => slug > after);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: rest.length > limit && last !== undefined ? toCursor(last.slug) : null };
}

/** Returns the cursor for a provider's position in the list, which is sorted by slug. */
function toCursor(slug: string): string {
  return Buffer.from(slug, 'utf8').toString('base64url');
}

function fromCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8');
}

function pick(record: Record<string, unknown>, fields: readonly string[] | undefined): Record<string, unknown> {
  if (fields === undefined) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)));
}

/** Returns a function that says whether the caller may see a provider. Unusable providers are never shown. */
async function visibility(services: ApiServices, caller: Caller): Promise<(provider: Provider) => boolean> {
  if (caller.kind !== 'session') return ({ unusable }) => unusable === undefined;
  const { session } = caller;
  const integrations = await integrationsOf(services.db, session.environmentId);
  const slugs = new Set(integrations.filter(({ uniqueKey }) => allows(session, uniqueKey)).map(({ provider }) => provider));
  return ({ slug, unusable }) => unusable === undefined && slugs.has(slug);
}

/**
 * Returns a function that says how far a provider has been shown to work, as far as the caller may know: only keys that may list
 * connections learn that the environment has called a provider. Takes two queries, regardless of the number of providers.
 */
async function proofs({ db }: { readonly db: Knex }, caller: Caller): Promise<(provider: Provider) => Proof> {
  const mayKnow = caller.kind === 'environment' && grants(caller.scopes, 'environment:connections:list');
  const answered = mayKnow ? await answeredProviders(db, caller.environmentId) : new Map<string, Date>();
  const probed = await probedProviders(db);
  return (provider) => {
    const answeredAt = answered.get(provider.slug);
    if (answeredAt !== undefined) return { level: PROOF.answered, at: dateOf(answeredAt) };
    const probedAt = probed(provider);
    return probedAt === undefined ? provider.proof : { level: PROOF.probed, at: dateOf(probedAt) };
  };
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
