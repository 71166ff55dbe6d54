import { BaseResolver, createConfig, lintFromString, type NormalizedProblem } from '@redocly/openapi-core';
import { expect } from 'chai';
import { publicRoutes } from '../../core/api/routes.ts';
import { openApiDocument } from '../../core/server/openapi/document.ts';

const BASE_URL = 'https://svc.example.net';

/** Warnings of the linter that are accepted on purpose: the rule, the places in the document, and the reason. */
const INTENDED: readonly { readonly rule: string; readonly place: RegExp; readonly reason: string }[] = [
  { rule: 'no-server-example.com', place: /^#\/servers\/1\/url$/, reason: 'the interface promises a local address' },
  {
    rule: 'operation-2xx-response',
    place: /^#\/paths\/~1(?:oauth~1callback(?:~1\{uniqueKey\})?|sandbox~1authorize)?\/(?:get|post)\//,
    reason: 'they redirect browsers and have no other response',
  },
];

/** A resolver that refuses to read anything outside the document. */
class ClosedResolver extends BaseResolver {
  override loadExternalRef(reference: string): never {
    throw new Error(`the document refers to ${reference}`);
  }
}

describe('the linter of OpenAPI documents', () => {
  let problems: readonly NormalizedProblem[];
  before(async function () {
    this.timeout(60_000);
    problems = await lint(JSON.stringify(openApiDocument(publicRoutes, BASE_URL)));
  });

  it('finds no error', () => {
    expect(listed(problems.filter(({ severity }) => severity === 'error'))).to.deep.equal([]);
  });

  it('gives no warning that is not intended', () => {
    const warnings = problems.filter(({ severity }) => severity === 'warn');
    expect(listed(warnings.filter((problem) => !isMeant(problem)))).to.deep.equal([]);
  });

  for (const { rule, place, reason } of INTENDED) {
    it(`still warns of ${rule} at ${place.source}: ${reason}`, () => {
      expect(problems.some((problem) => problem.ruleId === rule && place.test(placeOf(problem)))).to.equal(true);
    });
  }

  it('finds operation names that programs can use', () => {
    const { paths } = openApiDocument(publicRoutes, BASE_URL);
    const names = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(names.filter((name) => !/^[a-z][a-zA-Z0-9]+$/.test(name))).to.deep.equal([]);
  });

  it('reports errors in a broken document', async () => {
    const document = openApiDocument(publicRoutes, BASE_URL);
    const [path = ''] = Object.keys(document.paths);
    const broken = { ...document, paths: { ...document.paths, [path]: { get: { security: [{ nobody: [] }] } } } };
    const rules = (await lint(JSON.stringify(broken))).map(({ ruleId }) => ruleId);
    expect(rules).to.include.members(['operation-summary', 'security-defined']);
  });
});

async function lint(source: string): Promise<readonly NormalizedProblem[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const externalRefResolver = new ClosedResolver();
  return lintFromString({ source, absoluteRef: 'openapi.json', config, externalRefResolver });
}

function isMeant(problem: NormalizedProblem): boolean {
  return INTENDED.some(({ rule, place }) => problem.ruleId === rule && place.test(placeOf(problem)));
}

function placeOf({ location: [first] }: NormalizedProblem): string {
  return first?.pointer ?? '';
}

function listed(problems: readonly NormalizedProblem[]): string[] {
  return problems.map((problem) => `${problem.ruleId} at ${placeOf(problem)}: ${problem.message}`);
}
