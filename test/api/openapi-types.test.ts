import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { publicRoutes } from '../../core/api/routes.ts';
import { openApiDocument } from '../../core/server/openapi/document.ts';
import type { Content } from '../../core/server/openapi/model.ts';
import type { JsonSchema } from '../../core/server/openapi/schemas.ts';
import { makeFolders } from '../support/folders.ts';
import { projectFolder } from '../support/source-files.ts';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
/** Code that uses the generated types and must compile. */
const USE = `import type { components, operations } from './api.d.ts';
type Connection = components['schemas']['Connection'];
export const metadata: Connection['metadata'] = { list: [1, { deep: null }], map: { a: 'b' } };
export type Listed = operations['listConnections']['responses'][200]['content']['application/json']['connections'][number];
export const idOf = ({ id }: Listed): number => id;
// @ts-expect-error: it is a number
export const wrong: Connection['id'] = 'text';
`;
const STRICT = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  target: 'es2022',
  module: 'nodenext',
  allowImportingTsExtensions: true,
  types: [],
};
/** The maximum number of properties of an object schema without a name. */
const MAX_UNNAMED = 3;

describe('the OpenAPI document as types', function () {
  this.timeout(60_000);
  const document = openApiDocument(publicRoutes, 'https://svc.example.net');

  it('compiles as openapi-typescript generates it, strictly and without skipLibCheck', async () => {
    await using folder = await makeFolders({});
    const path = (name: string) => join(folder.path, name);
    await writeFile(path('openapi.json'), JSON.stringify(document));
    await writeFile(path('use.ts'), USE);
    const generator = join(projectFolder, 'node_modules/.bin/openapi-typescript');
    await run(generator, [path('openapi.json'), '-o', path('api.d.ts')]);
    const compiler = resolve('typescript/bin/tsc');
    await writeFile(path('tsconfig.json'), JSON.stringify({ compilerOptions: STRICT, files: ['use.ts', 'api.d.ts'] }));
    const compiled = run(process.execPath, [compiler, '-p', folder.path]);
    const { stdout } = await compiled.catch((error: { readonly stdout: string }) => error);
    expect(stdout).to.equal('');
  });

  it('names the parts of its bodies', () => {
    const bodies = Object.values(document.paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ operationId, requestBody, responses }) => [
        ...schemasOf(`${operationId} takes`, requestBody?.content),
        ...Object.entries(responses).flatMap(([status, { content }]) => schemasOf(`${operationId} returns ${status}`, content)),
      ]);
    expect(bodies).to.have.length.greaterThan(60);
    expect(bodies.flatMap(({ name, schema }) => unnamed(schema).map((path) => `${name}${path}`))).to.deep.equal([]);
  });
});

function schemasOf(name: string, content: Readonly<Record<string, Content>> = {}) {
  const { schema } = content['application/json'] ?? {};
  return schema === undefined ? [] : [{ name, schema }];
}

/**
 * Returns the paths of unnamed objects with more than `MAX_UNNAMED` properties, in the body, its properties and their list items.
 */
function unnamed(schema: JsonSchema, path = '', depth = 0): readonly string[] {
  const members = Object.entries(schema.properties ?? {});
  if (members.length > MAX_UNNAMED) return [path];
  if (depth === 2) return [];
  const { items } = schema as { readonly items?: JsonSchema };
  return [...members, ...(items === undefined ? [] : [['[]', items] as const])].flatMap(([name, member]) =>
    unnamed(member, `${path} ${name}`, depth + 1),
  );
}
