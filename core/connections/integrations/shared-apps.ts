import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { hostFieldsOf, isObject, type ProviderDefinition, splitPlaceholder } from '#contract';
import { modeNamed } from '../../auth-modes/index.ts';
import type { Catalogue, SharedApp } from '../../catalogue/catalogue.ts';
import { jsonFault } from '../../catalogue/provider-file.ts';
import { errorCode } from '../../kit/error-code.ts';
import { JsonError, parseWithLines } from '../../kit/strict-json.ts';
import { placeholdersOf } from '../../kit/template.ts';

// Messages continue the sentence "<field> …" and never repeat a value, which may be a secret.
const text = (max: number) =>
  z.string({ error: 'must be a string' }).min(1, 'is empty').max(max, `has more than ${max} characters`);
/** A scope (RFC 6749 §3.3). */
const scope = z.string({ error: 'must be a string' }).regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/, 'is not a scope');
const app = z.strictObject(
  { client_id: text(255), client_secret: text(4096), scopes: z.array(scope, { error: 'must be a list of strings' }) },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? 'may only contain client_id, client_secret and scopes' : 'must be an object',
  },
);

/**
 * Matches a URL template in which the part of the host that a user or a developer chooses is followed by the provider's own
 * domain, such as `${connectionConfig.shop}.example.com`.
 */
const OWN_DOMAIN = /^https:\/\/[^/?]*\}(?:\.[a-z0-9-]+){2,}(?::\d+)?(?:[/?]|$)/i;

/** Thrown for an invalid file of shared apps, with which the service does not start. */
export class SharedAppsFault extends Error {
  override readonly name = 'SharedAppsFault';
  readonly faults: readonly string[];

  constructor(path: string, faults: readonly string[]) {
    super([`the shared apps of SVC_SHARED_APPS_FILE (${path}) are invalid:`, ...faults].join('\n  '));
    this.faults = faults;
  }
}

/**
 * Reads the file of shared apps: `{"<provider>": {"client_id", "client_secret", "scopes": []}}`.
 *
 * @returns the apps by provider
 * @throws SharedAppsFault with every fault, but without any value from the file
 */
export async function readSharedApps(path: string, catalogue: Catalogue): Promise<ReadonlyMap<string, SharedApp>> {
  const { members, lineOf } = parse(path, await read(path));
  const faults: string[] = [];
  const apps = new Map<string, SharedApp>();
  for (const [slug, entry] of Object.entries(members)) {
    const parsed = app.safeParse(entry);
    const wrong = [...providerFaults(catalogue, slug), ...(parsed.error?.issues ?? []).map(faultOf)];
    faults.push(...wrong.map((fault) => `line ${lineOf([slug])}, ${JSON.stringify(slug)}: ${fault}`));
    if (parsed.success) apps.set(slug, sharedApp(parsed.data));
  }
  if (faults.length > 0) throw new SharedAppsFault(path, faults);
  return apps;
}

async function read(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new SharedAppsFault(path, [`the file cannot be read (${errorCode(cause) ?? 'unknown error'})`]);
  });
  if (!isUtf8(bytes)) throw new SharedAppsFault(path, ['the file is not valid UTF-8']);
  return bytes.toString('utf8');
}

interface Parsed {
  readonly members: Readonly<Record<string, unknown>>;
  readonly lineOf: (path: readonly string[]) => number;
}

function parse(path: string, json: string): Parsed {
  try {
    const { value: members, lineOf } = parseWithLines(json);
    if (isObject(members)) return { members, lineOf };
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    throw new SharedAppsFault(path, [`line ${cause.line}: ${jsonFault(cause)}`]);
  }
  throw new SharedAppsFault(path, ['line 1: must be an object with provider names as keys']);
}

function providerFaults(catalogue: Catalogue, slug: string): string[] {
  const provider = catalogue.find(slug);
  if (provider === undefined) return ['there is no such provider'];
  const { auth_mode: mode, signature_method, callback, sandbox } = provider.definition;
  if (sandbox === true) return ['the service plays this provider itself and brings its own app'];
  // Where a user or developer may choose a host of the API, they could send requests to their own server and read the secret.
  if (signature_method === 'PLAINTEXT') return ['requests to this provider carry the secret itself (PLAINTEXT)'];
  // Each environment's backend names the owner of the tokens, and no authorization code proves that this owner has consented.
  if (callback?.grant === 'client_credentials')
    return ['each integration names whose tokens are issued, so anyone could name somebody else’s'];
  return modeNamed(mode).hasShareableApp ? [] : [`connections of this provider (${mode}) do not use an app`];
}

function faultOf({ path, message }: z.core.$ZodIssue): string {
  return [path.join('.'), message].filter((part) => part !== '').join(' ');
}

function sharedApp({ client_id, client_secret, scopes }: z.output<typeof app>): SharedApp {
  return { clientId: client_id, clientSecret: client_secret, scopes };
}

/**
 * Returns the providers whose token endpoint can be on a host that a user or a developer names, so that the shared secret would
 * be sent to that host.
 */
export function exposedApps(catalogue: Catalogue, apps: ReadonlyMap<string, SharedApp>): string[] {
  return [...apps.keys()].filter((slug) => {
    const definition = catalogue.find(slug)?.definition;
    return definition !== undefined && leavesHostOpen(definition);
  });
}

/**
 * Returns the names of the integration settings in any part of a URL template. If one of them has no value, the URL is discovered
 * from the issuer, which may name any host.
 */
function settingsIn(template: string): readonly string[] {
  const names = placeholdersOf(template).map(splitPlaceholder);
  return names.flatMap(({ group, field }) => (group === 'integrationConfig' ? [field] : []));
}

function leavesHostOpen({ token_url, refresh_url, integration_config = {} }: ProviderDefinition): boolean {
  // Without a token URL, an integration may name any issuer, which then says where the token endpoint is.
  if (token_url === undefined) return true;
  const isUnsettable = (name: string) => {
    const field = Object.hasOwn(integration_config, name) ? integration_config[name] : undefined;
    return field?.optional === true || field?.optional_with !== undefined;
  };
  const isOpen = (template = '') =>
    (hostFieldsOf(template).length > 0 && !OWN_DOMAIN.test(template)) || settingsIn(template).some(isUnsettable);
  return Object.hasOwn(integration_config, 'refresh_url') || isOpen(token_url) || isOpen(refresh_url);
}
