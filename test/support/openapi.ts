import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument, ResponseObject } from '../../core/server/openapi/model.ts';
import { errorPagesOf, expectErrorPage, type PageResponse } from './error-page.ts';

export interface ReceivedResponse {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  /** Parsed, where it is JSON. */
  readonly body: unknown;
  /** For requests that accept HTML: errors outside every route are pages then, beside other pages. */
  readonly page?: PageResponse | undefined;
}

type Checker = (received: ReceivedResponse) => void;

/** Errors outside every documented operation: unknown path, wrong method, malformed request. */
const UNDOCUMENTED = new Set([400, 404, 405, 414, 431]);
const DOCUMENT = 'document';

/** The schemas of a document are compiled once, however many clients are checked against it. */
const checkers = new WeakMap<OpenApiDocument, Checker>();

/** Creates the function that throws where a response does not conform to the document: status, content type, schema. */
export function responseChecker(document: OpenApiDocument): Checker {
  const known = checkers.get(document) ?? makeChecker(document);
  checkers.set(document, known);
  return known;
}

function makeChecker(document: OpenApiDocument): Checker {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, DOCUMENT);
  const compiled = new Map<string, ValidateFunction>();

  const validate = (pointer: string, body: unknown, what: string) => {
    const check = compiled.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT}#${pointer}` });
    compiled.set(pointer, check);
    if (!check(body)) throw new Error(`${what}: ${ajv.errorsText(check.errors)}\n${JSON.stringify(body)}`);
  };

  const paths = patternsOf(document);
  const isErrorPage = errorPagesOf(document);

  return (received) => {
    const what = `${received.method} ${received.path} → ${received.status}`;
    // A URL that is too long is rejected before routing.
    const found = received.status === 414 ? undefined : findOperation(paths, received);
    if (found === undefined) {
      if (!UNDOCUMENTED.has(received.status)) throw new Error(`${what}: no such operation in the document`);
      if (received.page !== undefined && isErrorPage(received)) return expectErrorPage(received.page, received.status);
      validate('/components/schemas/Error', received.body, what);
      return;
    }
    const key = found.responses[received.status] ? String(received.status) : 'default';
    const response = found.responses[key];
    if (response === undefined) throw new Error(`${what}: the document has no such status`);
    const type = checkType(response, received, what);
    if (type === undefined || response.content?.[type]?.schema === undefined) return;
    validate(`${found.pointer}/responses/${key}/content/${pointerPart(type)}/schema`, received.body, what);
  };
}

function checkType(response: ResponseObject, { contentType, method }: ReceivedResponse, what: string): string | undefined {
  if (response.content === undefined || method === 'HEAD') return undefined;
  const type = contentType?.split(';')[0]?.trim() ?? 'none';
  if (!(type in response.content)) throw new Error(`${what}: ${type} is not one of ${Object.keys(response.content).join(', ')}`);
  return type;
}

interface DescribedPath {
  readonly template: string;
  readonly pattern: RegExp;
  readonly operations: OpenApiDocument['paths'][string];
}

/** /connections/metadata takes precedence over /connections/{connection_id}. */
function patternsOf({ paths }: OpenApiDocument): readonly DescribedPath[] {
  const parameters = (template: string) => template.split('{').length;
  return Object.entries(paths)
    .sort(([one], [other]) => parameters(one) - parameters(other))
    .map(([template, operations]) => ({ template, operations, pattern: patternOf(template) }));
}

function patternOf(template: string): RegExp {
  const whole = template.replace(/\/\{path\}$/, '/.*').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${whole}$`);
}

function findOperation(paths: readonly DescribedPath[], { method, path }: ReceivedResponse) {
  const methods = method === 'HEAD' ? ['head', 'get'] : [method.toLowerCase()];
  for (const { template, pattern, operations } of paths) {
    if (!pattern.test(path)) continue;
    const name = methods.find((one) => operations[one] !== undefined);
    if (name === undefined) continue;
    return { responses: operations[name]?.responses ?? {}, pointer: `/paths/${pointerPart(template)}/${name}` };
  }
  return undefined;
}

/** For a JSON pointer inside a URI fragment (RFC 6901 §6). */
function pointerPart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
