import { isObject, type Json, valueAt } from '#contract';
import { parseJson } from '../../../kit/exact-json.ts';
import type { OutboundResponse } from '../../../kit/outbound.ts';
import { InstallationRefused, type ModeDeps, type ModeInput, TokenFailure } from '../../auth-mode.ts';
import { fillHeaders, fillProviderUrl } from '../provider-template.ts';
import { sendTokenRequest, TOKEN_CALL_MS } from '../token-endpoint/token-call.ts';

const MAX_PAGES = 20;
/** Matches the link to the next page in a `Link` header (RFC 8288 §3): `<URL>; …; rel="next"`. */
const NEXT_PAGE = /<([^<>]*)>[^,<]*;\s*rel="?next"?(?:[;,\s]|$)/i;

interface ClaimedInstallation {
  readonly accessToken: string;
  readonly installationId: string;
}

/**
 * Checks that the user may use the installation, that is, that the provider lists it for the user's own token. Fetching all pages
 * of the list may take no longer than one token request.
 *
 * @throws InstallationRefused if the installation is not on the list; TokenFailure if the list cannot be read
 */
export async function checkUsersInstallation(deps: ModeDeps, input: ModeInput, claim: ClaimedInstallation): Promise<void> {
  const endsAt = performance.now() + (deps.tokenCallMs ?? TOKEN_CALL_MS);
  let page: URL | undefined;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const left = { ...deps, tokenCallMs: Math.max(1, Math.ceil(endsAt - performance.now())) };
    const response = await sendTokenRequest(left, () => listRequest(input, claim, page));
    if (idsIn(response, input).includes(claim.installationId)) return;
    const from = page ?? listUrl(input);
    page = nextPage(response, from);
    if (page === undefined) break;
  }
  throw new InstallationRefused('foreign', 'the installation does not belong to the user');
}

function listRequest(input: ModeInput, { accessToken }: ClaimedInstallation, page: URL | undefined) {
  return {
    method: 'GET',
    url: page ?? listUrl(input),
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...fillHeaders(input.definition.token_headers, input),
      authorization: `Bearer ${accessToken}`,
    },
  } as const;
}

function listUrl(input: ModeInput): URL {
  return fillProviderUrl(input.definition.installation?.user_installations.url ?? '', input);
}

function idsIn({ status, body }: OutboundResponse, { definition }: ModeInput): string[] {
  if (status !== 200)
    throw new TokenFailure(status < 400 ? 'malformed' : 'transient', 'the provider does not list the user’s installations', {
      status,
    });
  const { list = '', id = '' } = definition.installation?.user_installations ?? {};
  const entries = valueAt(parsed(body), list);
  if (!Array.isArray(entries))
    throw new TokenFailure('malformed', 'the list of the user’s installations is unreadable', { status });
  return entries.map((entry) => String(isObject(entry) ? valueAt(entry, id) : ''));
}

function parsed(body: Buffer): Json {
  try {
    return parseJson(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** Returns the URL of the next page. A URL with another origin is ignored, since the user's token is sent there. */
function nextPage({ headers }: OutboundResponse, from: URL): URL | undefined {
  const next = URL.parse(NEXT_PAGE.exec(headers['link'] ?? '')?.[1] ?? '', from.href);
  return next?.origin === from.origin && next.href !== from.href && next.username === '' ? next : undefined;
}
