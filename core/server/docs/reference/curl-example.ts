import type { OpenApiOperation, Parameter } from '../../openapi/model.ts';

interface ExampleRequest {
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** Returns a command that a reader can paste once `SVC_KEY` or `SVC_SESSION_TOKEN` is set. */
export function curlExample({ method, path, operation }: ExampleRequest, baseUrl: string): string {
  const { parameters = [], requestBody, security } = operation;
  const [scheme] = security.flatMap((one) => Object.keys(one));
  const used = parameters.filter(({ in: place, required }) => place !== 'query' || required);
  const body = bodyOf(requestBody);
  const address = quoted(baseUrl + filledPath(path, used) + queryOf(used)) + tokenOf(scheme);
  const lines = [
    [method === 'GET' ? '' : `-X ${method}`, address].filter((part) => part !== '').join(' '),
    ...credentialOf(scheme),
    ...used.flatMap(({ in: place, required, name, ...rest }) =>
      place === 'header' && required ? [`-H ${quoted(`${name}: ${exampleOf(rest)}`)}`] : [],
    ),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${body.type}'`, `-d ${quoted(body.text)}`]),
  ];
  return `curl ${lines.join(' \\\n  ')}`;
}

/** Returns the example of the body as JSON, or as a form. */
function bodyOf(body: OpenApiOperation['requestBody']): { readonly type: string; readonly text: string } | undefined {
  for (const [type, { example }] of Object.entries(body?.content ?? {})) {
    if (example === undefined) continue;
    if (type === 'application/json') return { type, text: JSON.stringify(example, null, 2) };
    return { type, text: new URLSearchParams(example as Record<string, string>).toString() };
  }
  return undefined;
}

function credentialOf(scheme: string | undefined): string[] {
  if (scheme === 'apiKey') return ['-H "Authorization: Bearer $SVC_KEY"'];
  return scheme === 'connectSession' ? ['-H "Authorization: Bearer $SVC_SESSION_TOKEN"'] : [];
}

function filledPath(path: string, parameters: readonly Parameter[]): string {
  return path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    const value = parameter === undefined ? whole : exampleOf(parameter);
    // The rest of a path (the parameter of a stream) has slashes, which stay as they are.
    return value.split('/').map(encodeURIComponent).join('/');
  });
}

function queryOf(parameters: readonly Parameter[]): string {
  const pairs = parameters
    .filter(({ in: place }) => place === 'query')
    .map((one) => `${one.name}=${encodeURIComponent(exampleOf(one))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Returns the token's part of the address. Where the token is in the query, no other query parameter is required. */
function tokenOf(scheme: string | undefined): string {
  return scheme === 'connectSessionInQuery' ? '"?connect_session_token=$SVC_SESSION_TOKEN"' : '';
}

function exampleOf({ example, schema }: Pick<Parameter, 'example' | 'schema'>): string {
  const [allowed] = Array.isArray(schema['enum']) ? schema['enum'] : [schema['const']];
  const value = example ?? schema['default'] ?? allowed ?? 'example';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Quotes text for a POSIX shell (IEEE 1003.1, 2.2.2): between single quotes only the closing quote is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
