import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument, ResponseObject } from '../../core/server/openapi/model.ts';
import { errorPagesOf, expectErrorPage, type PageResponse } from './error-page.ts';

export interface ReceivedResponse {
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | null;
  /** The parsed body, if it is JSON. */
  readonly body: unknown;
  /**
   * The response as a page, if the request accepts HTML. In that case, an error outside every documented operation may be a page
   * instead of JSON.
   */
  readonly page?: PageResponse | undefined;
}

type Checker = (received: ReceivedResponse) => void;

/** The statuses of errors outside every documented operation, such as an unknown path, a wrong method or a malformed request. */
const UNDOCUMENTED = new Set([400, 404, 405, 414, 431]);
const DOCUMENT = 'document';

/** The checker of each document, kept so that all clients share its compiled schemas. */
const checkers = new WeakMap<OpenApiDocument, Checker>();

/** Returns a function that throws when the status, content type or body of a response does not conform to the document. */
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
    // A URL that is too long is rejected before routing, so the response belongs to no operation.
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

/**
 * Returns the paths of a document, those with the fewest parameters first, so that `/connections/metadata` is matched before
 * `/connections/{connection_id}`.
 */
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

/** Escapes a part of a JSON pointer inside a URI fragment (RFC 6901 §6). */
function pointerPart(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
