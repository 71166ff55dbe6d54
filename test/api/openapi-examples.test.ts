import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import type * as z from 'zod';
import { publicRoutes } from '../../core/api/routes.ts';
import { openApiDocument } from '../../core/server/openapi/document.ts';
import type { Content, OpenApiOperation, Parameter } from '../../core/server/openapi/model.ts';
import type { JsonSchema } from '../../core/server/openapi/schemas.ts';
import { isStream, type PlainRoute } from '../../core/server/route.ts';

const document = openApiDocument(publicRoutes, 'https://svc.example.net');
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

describe('the examples of the OpenAPI document', () => {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      it(`${operation.operationId} has one for each parameter, body and response, and all conform: ${method} ${path}`, () => {
        for (const parameter of operation.parameters ?? []) checkParameter(parameter);
        checkBodies(operation);
      });
    }
  }
});

describe('the examples of the routes', () => {
  for (const route of publicRoutes) {
    if (isStream(route)) continue;
    it(`are accepted and sent by ${route.method} ${route.path}`, () => checkRoute(route));
  }
});

describe('the groups of the OpenAPI document', () => {
  for (const { name, description } of document.tags) {
    it(`describe ${name}`, () => expect(description).to.match(/^[A-Z].{10,}\.$/));
  }
});

function checkParameter({ name, description, schema, example }: Parameter): void {
  expect(description, `${name}: description`).to.be.a('string').with.length.above(5);
  expect(example, `${name}: example`).not.to.equal(undefined);
  fits(schema, example, name);
}

function checkBodies({ requestBody, responses }: OpenApiOperation): void {
  const bodies = [requestBody, ...Object.values(responses)].flatMap((body) => Object.entries(body?.content ?? {}));
  for (const [type, content] of bodies) {
    if (type === 'application/json') fits(content.schema, exampleOf(content), 'body');
  }
}

function exampleOf({ example, examples = {} }: Content): unknown {
  const [shared] = Object.values(examples);
  const name = shared?.$ref.replace('#/components/examples/', '') ?? '';
  const found = example ?? document.components.examples[name]?.value;
  expect(found, 'example').not.to.equal(undefined);
  return found;
}

function fits(schema: JsonSchema | undefined, example: unknown, what: string): void {
  // The schema refers to components of the OpenAPI document, so its references are changed to point there.
  const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#');
  const check = ajv.compile(JSON.parse(text));
  expect(check(example), `${what}: ${ajv.errorsText(check.errors)}`).to.equal(true);
}

function checkRoute(route: PlainRoute<never>): void {
  if (route.body !== undefined) parses(route.body, route.bodyExample);
  for (const { schema, example } of Object.values(route.responses)) {
    if (schema !== undefined) parses(schema, example);
  }
}

function parses(schema: z.ZodType, example: unknown): void {
  const { error } = schema.safeParse(example);
  expect(error?.issues ?? []).to.deep.equal([]);
}
