import { type FormField, isObject, type ProviderDefinition } from '#contract';
import { statedValue } from './examples.ts';
import { placeValue } from './placed-values.ts';
import { jsonResponse, type ProviderRequest, type StubResponse } from './provider.ts';

const ACCOUNT = { id: 'rehearsal-account', name: 'Ada', email: 'ada@example.com', picture: 'https://example.com/ada.png' };

/** Responds as the provider's API: the response contains every value that the definition reads at this address. */
export function apiResponse(definition: ProviderDefinition, { url }: ProviderRequest): StubResponse {
  const { identity, discover = [], proxy, connection_config: fields = {} } = definition;
  let body: unknown = {};
  const at = (endpoint: string | undefined, place: (into: Record<string, unknown>) => void) => {
    if (endpoint !== undefined && leadsTo(endpoint, url) && isObject(body)) place(body as Record<string, unknown>);
  };
  const { endpoints = [], expect } = proxy?.verification ?? {};
  for (const endpoint of endpoints) at(endpoint, (into) => expect && placeValue(into, expect.path, expect.equals));
  at(identity?.endpoint, (into) => {
    for (const [part, path] of Object.entries(identity?.account ?? {}))
      if (path !== undefined) placeValue(into, path, ACCOUNT[part as keyof typeof ACCOUNT]);
  });
  for (const { endpoint, values, choose } of discover)
    at(endpoint, (into) => {
      const entry = choose === undefined ? into : {};
      if (choose !== undefined) {
        placeValue(entry, choose.id, 'rehearsal-choice');
        placeValue(entry, choose.label, 'Rehearsal');
      }
      for (const [name, path] of Object.entries(values)) placeValue(entry, path, exampleOf(name, fields[name]));
      if (choose?.list === '$') body = [entry];
      else if (choose !== undefined) placeValue(into, choose.list, [entry]);
    });
  return jsonResponse(200, body);
}

/** Returns the value that the provider would report for a field. */
export function exampleOf(name: string, field: FormField | undefined): string {
  return statedValue(field) ?? `rehearsal-${name}`;
}

/** Returns whether the path of a URL ends with the path of an endpoint, whatever fills the endpoint's placeholders. */
function leadsTo(endpoint: string, { pathname }: URL): boolean {
  const [path = ''] = endpoint.split('?', 1);
  const literals = path.replace(/^\/*/, '/').split(/\$\{[^${}]*\}/);
  const pattern = literals.map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^/]+');
  return new RegExp(`${pattern}$`).test(pathname);
}
