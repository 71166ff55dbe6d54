import { type JsonObject, type ProviderAccount, type ProviderDefinition, textAt } from '#contract';
import { isUnsafe } from '../kit/unsafe-characters.ts';
import type { StoredAccount } from './connection.ts';
import { isEmail } from './tags.ts';

const MAX_ID = 255;
const MAX_NAME = 255;
const MAX_EMAIL = 320;
const MAX_URL = 2048;

/** The paths of the parts of an account in a response. */
type AccountPaths = NonNullable<ProviderDefinition['identity']>['account'];

const DIRECT = { id: 'id', name: 'name', email: 'email', picture: 'picture' };

/**
 * Reads an account from a response of any shape. Parts that have the wrong type, are too long or contain control characters are
 * left out.
 *
 * @returns undefined without a usable ID
 */
export function readAccount(response: unknown, paths: AccountPaths = DIRECT): ProviderAccount | undefined {
  const part = (name: keyof AccountPaths, isValid: (text: string) => boolean) => {
    const path = paths[name];
    const text = path === undefined ? undefined : textAt(response, path);
    return text !== undefined && !isUnsafe(text) && isValid(text) ? text : undefined;
  };
  const id = part('id', (text) => text.length <= MAX_ID);
  const name = part('name', (text) => text.length <= MAX_NAME);
  const email = part('email', (text) => text.length <= MAX_EMAIL && isEmail(text));
  const picture = part('picture', isPicture);
  if (id === undefined) return undefined;
  return {
    id,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(picture !== undefined && { picture }),
  };
}

/** Returns whether both are the same account; false when one of them is unknown. */
export function isSameAccount(one: StoredAccount | null, other: StoredAccount | null): boolean {
  return one !== null && other !== null && one.id === other.id && one.origin === other.origin;
}

/** Returns whether the two are different accounts; false when one of them is unknown. */
export function isOtherAccount(one: StoredAccount | null, other: StoredAccount | null): boolean {
  return one !== null && other !== null && !isSameAccount(one, other);
}

/** Returns the account as the API shows it, without `origin`, which only serves to compare accounts. */
export function shownAccount(account: StoredAccount | null): (JsonObject & ProviderAccount) | null {
  if (account === null) return null;
  const { origin: _, ...shown } = account;
  return shown;
}

function isPicture(text: string): boolean {
  return text.length <= MAX_URL && URL.parse(text)?.protocol === 'https:';
}
