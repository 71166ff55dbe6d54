import { t } from './texts.ts';

/** Props of the forms for an import. */
export interface ImportProps {
  /** The `unique_key` of the integration. */
  readonly integration: string;
  /** The type of the credentials. */
  readonly type: string;
  readonly send: (body: object) => Promise<void>;
}

/** One property of `credentials`. */
interface Member {
  /** The name of the property; for one of `config_override`, with the prefix `config_override.`. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly isSecret?: true;
  /** True for a property that is left out when nothing was typed. */
  readonly isOptional?: true;
  /** True for a required property whose value may be empty. */
  readonly mayBeEmpty?: true;
}

const OWN_APP = 'config_override.';

const EXPIRY: Member = { name: 'expires_at', label: t('expires_at'), help: t('expires_at_help'), isOptional: true };
const CLIENT_ID: Member = { name: 'client_id', label: t('client_id') };
const CLIENT_SECRET: Member = { name: 'client_secret', label: t('client_secret'), isSecret: true };
const OWN_ID: Member = { ...CLIENT_ID, name: `${OWN_APP}client_id`, help: t('own_app_help') };
const OWN_SECRET: Member = { ...CLIENT_SECRET, name: `${OWN_APP}client_secret`, isOptional: true };

/** The properties of imported credentials that the service accepts, by type, in the order of the form. */
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

/** Returns the name of a property's form field, which is also the path that the service uses in faults. */
export function fieldOf({ name }: Member): string {
  return `credentials.${name}`;
}

/** Returns error texts for required properties for which nothing was typed, by field. */
export function missingIn(members: readonly Member[], values: Values): Values {
  const missing = members.filter((one) => !one.isOptional && !one.mayBeEmpty && values[fieldOf(one)] === '');
  return Object.fromEntries(missing.map((one) => [fieldOf(one), t('missing', { name: one.label })]));
}

/** Returns the value of `credentials` that is sent. */
export function credentialsOf(type: string, members: readonly Member[], values: Values): object {
  const given = members.filter((one) => !one.isOptional || values[fieldOf(one)] !== '');
  const entriesOf = (some: readonly Member[]) =>
    Object.fromEntries(some.map((one) => [one.name.replace(OWN_APP, ''), values[fieldOf(one)]]));
  const own = given.filter(({ name }) => name.startsWith(OWN_APP));
  const others = given.filter((one) => !own.includes(one));
  return { type, ...entriesOf(others), ...(own.length > 0 && { config_override: entriesOf(own) }) };
}
