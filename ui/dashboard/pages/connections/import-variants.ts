import { t } from './texts.ts';

/** Of the ways to say what is imported. */
export interface ImportProps {
  /** Its key. */
  readonly integration: string;
  /** Of the credentials. */
  readonly type: string;
  readonly send: (body: object) => Promise<void>;
}

/** One member of `credentials`. */
interface Member {
  /** Within `config_override` after a dot. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly isSecret?: true;
  /** Left out when nothing was typed. */
  readonly isOptional?: true;
  /** Sent even when nothing was typed. */
  readonly mayBeEmpty?: true;
}

const OWN_APP = 'config_override.';

const EXPIRY: Member = { name: 'expires_at', label: t('expires_at'), help: t('expires_at_help'), isOptional: true };
const CLIENT_ID: Member = { name: 'client_id', label: t('client_id') };
const CLIENT_SECRET: Member = { name: 'client_secret', label: t('client_secret'), isSecret: true };
const OWN_ID: Member = { ...CLIENT_ID, name: `${OWN_APP}client_id`, help: t('own_app_help') };
const OWN_SECRET: Member = { ...CLIENT_SECRET, name: `${OWN_APP}client_secret`, isOptional: true };

/** What the service takes as imported credentials, by their type, in the order of the form. */
export const VARIANTS: Readonly<Record<string, readonly Member[]>> = {
  OAUTH1: [
    { name: 'oauth_token', label: t('oauth_token'), isSecret: true },
    { name: 'oauth_token_secret', label: t('oauth_token_secret'), isSecret: true },
  ],
  OAUTH2: [
    { name: 'access_token', label: t('access_token'), isSecret: true },
    { name: 'refresh_token', label: t('refresh_token'), isSecret: true, isOptional: true },
    EXPIRY,
    { ...OWN_ID, isOptional: true },
    OWN_SECRET,
  ],
  OAUTH2_CC: [CLIENT_ID, CLIENT_SECRET, { name: 'token', label: t('access_token'), isSecret: true }, EXPIRY],
  BASIC: [
    { name: 'username', label: t('username'), mayBeEmpty: true },
    { name: 'password', label: t('password'), isSecret: true, mayBeEmpty: true },
  ],
  API_KEY: [{ name: 'apiKey', label: t('api_key'), isSecret: true }],
  NONE: [],
  TBA: [
    { name: 'token_id', label: t('token_id'), isSecret: true },
    { name: 'token_secret', label: t('token_secret'), isSecret: true },
    OWN_ID,
    OWN_SECRET,
  ],
  APP: [
    { name: 'app_id', label: t('app_id') },
    { name: 'installation_id', label: t('installation_id') },
  ],
};

type Values = Readonly<Record<string, string>>;

/** The name of a member's field, as the service names it in a fault. */
export function fieldOf({ name }: Member): string {
  return `credentials.${name}`;
}

/** Required members in which nothing was typed, with what is said of them. */
export function missingIn(members: readonly Member[], values: Values): Values {
  const missing = members.filter((one) => !one.isOptional && !one.mayBeEmpty && values[fieldOf(one)] === '');
  return Object.fromEntries(missing.map((one) => [fieldOf(one), t('missing', { name: one.label })]));
}

/** `credentials` as they are sent. */
export function credentialsOf(type: string, members: readonly Member[], values: Values): object {
  const given = members.filter((one) => !one.isOptional || values[fieldOf(one)] !== '');
  const entriesOf = (some: readonly Member[]) =>
    Object.fromEntries(some.map((one) => [one.name.replace(OWN_APP, ''), values[fieldOf(one)]]));
  const own = given.filter(({ name }) => name.startsWith(OWN_APP));
  const others = given.filter((one) => !own.includes(one));
  return { type, ...entriesOf(others), ...(own.length > 0 && { config_override: entriesOf(own) }) };
}
