import type { ProviderDefinition } from '#contract';
import { placeholdersOf } from '../../kit/template.ts';
import { APP_LINK } from './examples.ts';

/** Placeholders of the app and of credentials, which are known in every auth mode. */
const ALWAYS_KNOWN: ReadonlySet<string> = new Set([
  'clientId',
  'clientSecret',
  'accessToken',
  'apiKey',
  'username',
  'password',
  'scopes',
  'webhookSecret',
  APP_LINK,
]);
/** Groups of placeholders that are not checked, since their names depend on the auth mode and on responses. */
const OPEN_GROUPS = /^(?:credentials|steps)\./;

interface UnknownPlaceholder {
  readonly path: readonly (string | number)[];
  readonly placeholder: string;
  /** All names that are known, for a suggestion. */
  readonly known: readonly string[];
}

/** Returns the placeholders of a definition that nothing can fill: no field has their name, and no response contains it. */
export function unknownPlaceholders(definition: ProviderDefinition): readonly UnknownPlaceholder[] {
  const known = knownNames(definition);
  const { webhook: { handshake } = {}, ...rest } = definition;
  // The placeholders of a signature are checked by the schema.
  return textsIn({ ...rest, webhook: { handshake } }, []).flatMap(({ path, text }) =>
    placeholdersOf(text)
      .filter((name) => !known.has(name) && !ALWAYS_KNOWN.has(name) && !OPEN_GROUPS.test(name))
      .map((placeholder) => ({ path, placeholder, known: [...known] })),
  );
}

function knownNames(definition: ProviderDefinition): ReadonlySet<string> {
  const { discover = [], token_response_metadata = [], redirect_uri_metadata = [] } = definition;
  const found = [...token_response_metadata, ...redirect_uri_metadata, ...discover.flatMap(({ values }) => Object.keys(values))];
  return new Set([
    ...Object.keys(definition.integration_config ?? {}).flatMap((name) => [`integrationConfig.${name}`, `integration.${name}`]),
    ...Object.entries(definition.maps ?? {}).flatMap(([name, rows]) =>
      Object.values(rows).flatMap((row) => Object.keys(row).map((key) => `maps.${name}.${key}`)),
    ),
    ...[...Object.keys(definition.connection_config ?? {}), ...found].map((name) => `connectionConfig.${name}`),
  ]);
}

interface TextAt {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

function textsIn(value: unknown, path: readonly (string | number)[]): readonly TextAt[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...path, name]));
}
