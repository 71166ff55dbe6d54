import type { JsonObject, UrlTemplate } from '#contract';
import { fillProviderUrl, type TemplateSource } from '../../auth-modes/building-blocks/provider-template.ts';
import { placeholdersOf, TemplateError } from '../../kit/template.ts';
import { APP_LINK, enteredUrlsOf } from './examples.ts';

/** Values that try to lead a URL elsewhere, or to be read as a template. */
const HOSTILE: readonly string[] = [
  ...words`
    evil.example/ evil.example# evil.example? evil.example\ evil.example:443 user@evil.example a:b@evil.example @evil.example
    evil.example/.good.example //evil.example https://evil.example https://good.example@evil.example/ https://evil.example/#
    javascript:alert(1) file:///etc/passwd .. ../.. ..%2f.. %2e%2e ../../evil . 127.0.0.1 0x7f.1 2130706433 [::1] 169.254.169.254
    localhost. -evil evil-.example base64(a) xn-- % %00 &client_secret= ; ' " < common/../evil %00.example
  `,
  '',
  ' evil.example',
  'evil.example\r\nhost: a',
  'evil\u0000.example',
  'evil\uff0eexample',
  'evil\u3002example',
  '${accessToken}',
  '${connectionConfig.hostname}',
  'a'.repeat(300),
  'a'.repeat(20_000),
];

/** A URL template, and one of its placeholders, which is filled with a value that somebody enters. */
interface FilledPlace extends UrlTemplate {
  readonly placeholder: string;
}

/** Returns every place in the URLs of a definition that is filled with the value of a form field. */
export function filledPlacesOf(definition: TemplateSource['definition']): readonly FilledPlace[] {
  return enteredUrlsOf(definition).flatMap((url) =>
    placeholdersOf(url.template)
      .filter((placeholder) => placeholder !== APP_LINK)
      .map((placeholder) => ({ ...url, placeholder })),
  );
}

/**
 * Returns the first hostile value that leads the URL elsewhere than its template says.
 *
 * @param source filled with valid values
 * @returns undefined if each value is refused, or harmless in its place
 */
export function escapingValue(place: FilledPlace, source: TemplateSource): string | undefined {
  const { template, placeholder } = place;
  const good = fillProviderUrl(template, source);
  return HOSTILE.find((value) => {
    const url = attempt(() => fillProviderUrl(template, withValue(source, placeholder, value)));
    return url !== undefined && !isInPlace({ place, good, value }, url);
  });
}

/** Returns the source with another value for a placeholder's field. The field of a map has the map's name. */
function withValue(source: TemplateSource, placeholder: string, value: string): TemplateSource {
  const [group, ...rest] = placeholder.split('.');
  const field = group === 'maps' ? (rest[0] ?? '') : rest.join('.');
  const isOfConnection = group === 'maps' ? Object.hasOwn(source.connectionConfig, field) : group === 'connectionConfig';
  const changed = (config: JsonObject): JsonObject => ({ ...config, [field]: value });
  return isOfConnection
    ? { ...source, connectionConfig: changed(source.connectionConfig) }
    : { ...source, integrationConfig: changed(source.integrationConfig) };
}

interface Filled {
  readonly place: FilledPlace;
  readonly good: URL;
  readonly value: string;
}

function isInPlace({ place: { template, placeholder }, good, value }: Filled, url: URL): boolean {
  if (url.username !== '' || url.password !== '' || url.hash !== '') return false;
  // No map has an entry for a hostile value, so a URL must not be filled.
  if (placeholder.startsWith('maps.')) return false;
  // The value is the beginning of the URL: the person who enters it decides the host, within the field's pattern.
  if (template.startsWith('${')) return url.origin === new URL(value === '' ? good : value).origin;
  return hostShape(template).test(url.host) && segments(url.pathname) === segments(good.pathname);
}

/**
 * Returns a pattern of the hosts to which a URL may lead: the template's host, in which each placeholder stands for whole labels.
 */
function hostShape(template: string): RegExp {
  const [, authority = ''] = /^https:\/\/([^/?]*)/.exec(template) ?? [];
  const literals = authority.split(/\$\{[^${}]+\}/).map((literal) => literal.replaceAll('.', '\\.'));
  return new RegExp(`^${literals.join('[a-z0-9-]+(?:\\.[a-z0-9-]+)*')}$`);
}

function segments(path: string): number {
  return path.split('/').length;
}

/** @returns undefined if the value is refused */
function attempt(fill: () => URL): URL | undefined {
  try {
    return fill();
  } catch (error) {
    if (error instanceof TemplateError) return undefined;
    throw error;
  }
}

function words(template: TemplateStringsArray): readonly string[] {
  return String.raw(template).trim().split(/\s+/);
}
