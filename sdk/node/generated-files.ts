import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { publicRoutes } from '../../core/api/routes.ts';
import { openApiDocument } from '../../core/server/openapi/document.ts';
import type { Content, OpenApiDocument, OpenApiOperation } from '../../core/server/openapi/model.ts';
import { isStream } from '../../core/server/route.ts';

const HEADING = '// Written by `npm run schema` from the OpenAPI document of the service.\n\n';

/** The generated interfaces that the client uses. */
const NAMES = ['components', 'operations'];

/** Returns the files below `src/` that are generated from the OpenAPI document, by name. */
export async function generatedFiles(): Promise<Readonly<Record<string, string>>> {
  // Proxied responses have no schema.
  const json = publicRoutes.filter((route) => !isStream(route));
  const document = forKeys(openApiDocument(json, 'https://svc.example.com'));
  const tree = await openapiTS(JSON.stringify(document), { alphabetize: true });
  const read = tree.filter((node) => ts.isInterfaceDeclaration(node) && NAMES.includes(node.name.text));
  return { 'generated.ts': HEADING + astToString(read), 'operations.ts': HEADING + operationTable(document) };
}

/** Keeps the operations that accept an API key, with their successful responses; errors have one schema. */
function forKeys(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const own = Object.entries(operations).filter(
      ([, { security, deprecated }]) => deprecated === undefined && security.some((scheme) => 'apiKey' in scheme),
    );
    return [path, Object.fromEntries(own.map(([method, operation]) => [method, slim(operation)]))] as const;
  });
  const kept = Object.fromEntries(paths.filter(([, operations]) => Object.keys(operations).length > 0));
  const schemas = reachable(document.components.schemas, ['Error', ...referred(kept)]);
  return { ...document, paths: kept, components: { ...document.components, schemas, headers: {}, examples: {} } };
}

function slim({ requestBody, responses, ...operation }: OpenApiOperation): OpenApiOperation {
  const successful = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return {
    ...operation,
    ...(requestBody && { requestBody: { ...requestBody, content: withoutExamples(requestBody.content) } }),
    responses: Object.fromEntries(
      successful.map(([status, { description, content }]) => [
        status,
        { description, ...(content && { content: withoutExamples(content) }) },
      ]),
    ),
  };
}

/** Drops examples of whole bodies, which would become long comments; those of single members stay. */
function withoutExamples(content: Readonly<Record<string, Content>>): Record<string, Content> {
  return Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema ? { schema } : {}]));
}

function reachable<T>(schemas: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  const found = new Map<string, T>();
  const visit = (name: string): void => {
    const schema = schemas[name];
    if (schema === undefined || found.has(name)) return;
    found.set(name, schema);
    referred(schema).forEach(visit);
  };
  names.forEach(visit);
  return Object.fromEntries(found);
}

function referred(part: unknown): string[] {
  return [...JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
}

/** Returns the table of all operations for the client at runtime: their paths, and whether they accept an `Idempotency-Key`. */
function operationTable({ paths }: OpenApiDocument): string {
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId, parameters = [] }]) => {
      const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
      return { operationId, line: `{ method: '${method.toUpperCase()}', path: '${path}', takesKey: ${takesKey} }` };
    }),
  );
  const sorted = rows.toSorted((one, other) => (one.operationId < other.operationId ? -1 : 1));
  const lines = sorted.map(({ operationId, line }) => `  ${operationId}: ${line},\n`);
  const heading = '/** Path of each operation, and whether it accepts an `Idempotency-Key`. */\n';
  return `${heading}export const OPERATIONS = {\n${lines.join('')}} as const;\n`;
}
