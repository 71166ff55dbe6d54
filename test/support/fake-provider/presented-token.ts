import type { LedgerEntry } from '../scripted-server/ledger.ts';
import type { Grants } from './grants.ts';
import type { Provider } from './provider.ts';
import { readParams } from './read-params.ts';

/** Records in the ledger which token a request presents, and its generation at the time when the request arrives. */
export function notePresentedToken(grants: Grants, entry: LedgerEntry): void {
  const text = entry.endpoint === 'token' ? readParams(entry)['refresh_token'] : bearerOf(entry);
  const presented = grants.describe(text ?? '');
  if (presented !== undefined) entry.presented = presented;
}

/** Tells whether a request may call the API: only with a valid access token, unless the setting `openApi` allows every call. */
export function mayCall({ settings, grants }: Provider, entry: LedgerEntry): boolean {
  return settings.openApi || grants.isLive(bearerOf(entry));
}

function bearerOf(entry: LedgerEntry): string {
  return entry.headers.authorization?.replace(/^Bearer /i, '') ?? '';
}
