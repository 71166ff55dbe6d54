import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { dashboardDocument } from '../../core/api/dashboard/description.ts';
import type { OpenApiOperation } from '../../core/server/openapi/model.ts';

const HEADING = '// Written by `npm run schema` from the private interface of the service.\n\n';
/** The generated interfaces that pages use. */
const NAMES = ['components', 'operations'];

export const API_TYPES_FILE = fileURLToPath(new URL('../dashboard/app/api-types.ts', import.meta.url));

/** Matches comments, which are left out: with their texts and examples, they are many times as long as the types. */
const COMMENTS = /^ *\/\*\*.*?\*\/\n/gms;

/**
 * Returns the types of the data that the dashboard sends and receives. Error responses are left out, since they share one schema,
 * which `ui/kit/api-error.ts` reads.
 */
export async function apiTypes(): Promise<string> {
  const { components, paths, ...document } = dashboardDocument('https://svc.example.com');
  const successful = mapValues(paths, (operations) => mapValues(operations, withoutErrors));
  const tree = await openapiTS(JSON.stringify({ ...document, paths: successful, components }));
  const read = tree.filter((node) => ts.isInterfaceDeclaration(node) && NAMES.includes(node.name.text));
  return HEADING + astToString(read).replaceAll(COMMENTS, '');
}

function withoutErrors({ responses, ...operation }: OpenApiOperation): OpenApiOperation {
  const successful = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return { ...operation, responses: Object.fromEntries(successful.map(([status, { headers: _, ...one }]) => [status, one])) };
}

function mapValues<A, B>(values: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
