import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { projectFolder, SOURCE_FOLDERS } from '../support/source-files.ts';
import { words } from '../support/words.ts';

const MIN_MODULES = 60;

/** Files that each break one rule. `core/db/x.ts` and the like exist only so that these files can import them. */
const PLANTS: ReadonlyArray<readonly [rule: string, path: string, text: string]> = [
  ['core-kit', 'core/kit/a.ts', "import '../db/x.ts';"],
  ['core-config', 'core/config/a.ts', "import '../db/x.ts';"],
  ['core-server', 'core/server/a.ts', "import '../proxy/x.ts';"],
  ['core-proxy', 'core/proxy/a.ts', "import '../api/x.ts';"],
  ['no-cycles', 'core/kit/b.ts', "import './c.ts';"],
  ['modes-do-not-import-each-other', 'core/auth-modes/one/index.ts', "import '../two/index.ts';"],
  ['only-the-table-imports-a-mode', 'core/auth-modes/a.ts', "import './two/index.ts';"],
  ['core-never-names-a-plugin', 'core/catalogue/a.ts', "await import('../../plugins/one/plugin.ts');"],
  ['plugin-sees-only-the-contract', 'plugins/one/a.ts', "import '../two/plugin.ts';"],
  ['plugin-sees-only-the-contract', 'plugins/one/b.ts', "import '../../core/kit/x.ts';"],
  ['plugin-sees-only-the-contract', 'plugins/one/c.ts', "import { z } from 'zod'; z;"],
  ['plugin-uses-no-io-builtin', 'plugins/one/d.ts', "import 'node:fs';"],
  ['plugin-uses-no-io-builtin', 'plugins/one/e.ts', "import 'node:http';"],
  ['providers-hold-data-only', 'providers/three/a.ts', "import 'node:crypto';"],
  ['runtime-stands-alone', 'scripts-runtime/a.ts', "import '../core/kit/x.ts';"],
  ['only-the-child-loads-isolated-vm', 'core/connect/a.ts', "import 'isolated-vm';"],
  ['only-upgrade-loads-http-proxy', 'core/proxy/b.ts', "import 'http-proxy';"],
  ['only-deploy-loads-rolldown', 'core/scripts/d.ts', "import 'rolldown';"],
  ['only-traces-load-opentelemetry', 'core/kit/h.ts', "import '@opentelemetry/api';"],
  ['only-stores-load-knex', 'core/connections/a.ts', "import 'knex';"],
  ['only-stores-load-knex', 'core/api/a.ts', "import 'pg';"],
  ['only-server-and-api-load-koa', 'core/proxy/c.ts', "import 'koa';"],
  ['only-server-and-api-load-koa', 'core/proxy/d.ts', "import '@koa/router';"],
  ['only-kit-outbound-opens-sockets', 'core/proxy/exchange.ts', "import { type Dispatcher, request } from 'undici'; request;"],
  ['only-kit-outbound-opens-sockets', 'core/connect/b.ts', "import 'node:https';"],
  ['only-kit-outbound-opens-sockets', 'core/db/a.ts', "import 'tls';"],
  ['only-kit-outbound-opens-sockets', 'core/api/b.ts', "await import('node:dns/promises');"],
  ['migrations-are-frozen', 'migrations/a.ts', "import '../core/kit/x.ts';"],
  ['nothing-imports-tests', 'core/kit/d.ts', "import '../../test/x.ts';"],
  ['client-stands-alone', 'sdk/node/src/a.ts', "import '../../../core/kit/x.ts';"],
  ['client-stands-alone', 'sdk/node/src/b.ts', "import { z } from 'zod'; z;"],
  ['service-needs-no-client', 'core/kit/f.ts', "import '../../sdk/node/src/x.ts';"],
  ['service-needs-no-client', 'core/kit/g.ts', "import '../../ui/kit/x.ts';"],
  ['the-example-is-an-application', 'examples/app/a.ts', "import '../../core/kit/x.ts';"],
  ['browser-client-stands-alone', 'sdk/frontend/src/a.ts', "import 'node:crypto';"],
  ['browser-client-stands-alone', 'sdk/frontend/src/b.ts', "import '../../node/src/x.ts';"],
  ['browser-client-stands-alone', 'sdk/frontend/src/c.ts', "import 'preact';"],
  ['pages-stand-on-what-they-share', 'ui/kit/a.ts', "import '../connect/x.tsx';"],
  ['pages-stand-on-what-they-share', 'ui/connect/a.tsx', "import '../../core/kit/x.ts';"],
  ['pages-stand-on-what-they-share', 'ui/connect/b.tsx', "import 'node:fs';"],
  ['pages-stand-on-what-they-share', 'ui/connect/c.tsx', "import 'preact/compat';"],
  ['pages-stand-on-what-they-share', 'ui/connect/d.tsx', "import 'zod';"],
  ['the-build-stands-alone', 'ui/build.ts', "import '../core/kit/x.ts';"],
  ['resolvable', 'core/kit/e.ts', "import './nowhere.ts';"],
];

/** Files that the rules must accept. */
const INNOCENT: Readonly<Record<string, string>> = {
  'core/kit/c.ts': "import './b.ts';",
  'core/auth-modes/index.ts': "import './two/index.ts';",
  'core/auth-modes/two/index.ts': "import './stored.ts'; import '../building-blocks/x.ts';",
  'core/kit/outbound.ts': "import 'undici'; import 'node:net';",
  'core/kit/address-guard.ts': "import 'node:dns';",
  'core/server/server.ts': "import 'node:http'; import 'koa';",
  'core/proxy/upgrade.ts': "import 'http-proxy';",
  'core/cli/scripts/bundle.ts': "import 'rolldown';",
  'core/operate/traces/packages.ts': "await import('@opentelemetry/api');",
  'scripts-runtime/child.ts': "import 'isolated-vm';",
  'core/proxy/types-only.ts':
    "import type { Dispatcher as A } from 'undici'; import type { Server as B } from 'node:http'; export type C = A | B;",
  'core/connections/a-store.ts': "import 'knex';",
  'core/connections/b.ts': "import type { Knex } from 'knex'; export type A = Knex;",
  'plugins/one/plugin.ts': "import '#contract'; import 'node:crypto'; import './site.ts';",
  'sdk/node/src/c.ts': "import 'node:crypto'; import './x.ts';",
  'sdk/node/generate.ts': "import '../../core/api/x.ts';",
  'sdk/frontend/src/d.ts': "import './x.ts';",
  'ui/connect/e.tsx': "import 'preact'; import 'preact/hooks'; import '../kit/x.ts'; import './x.tsx'; import './a.css';",
  'ui/connect/x.tsx': 'export const x = 1;',
  'ui/pipeline/a.ts': "import 'node:fs'; import 'vite'; import './x.ts';",
  'plugins/one/plugin.test.ts': "import 'chai'; import '../../test/x.ts';",
  ...Object.fromEntries(
    words`
      core/errors core/kit/x core/auth-modes/two/stored core/auth-modes/building-blocks/x core/db/x core/proxy/x core/api/x
      core/contract/index plugins/one/site plugins/two/plugin test/x sdk/node/src/x
      sdk/frontend/src/x ui/kit/x ui/pipeline/x
    `.map((path) => [`${path}.ts`, 'export const x = 1;']),
  ),
};

interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

interface Module {
  readonly source: string;
  readonly dependencies: ReadonlyArray<{ readonly resolved: string }>;
}

interface Rules {
  readonly forbidden: ReadonlyArray<{ readonly name: string; readonly to: { readonly pathNot?: string | readonly string[] } }>;
}

const rules: Rules = createRequire(import.meta.url)(`${projectFolder}.dependency-cruiser.cjs`);

describe('layering', function () {
  this.timeout(60_000);

  it('follows the table and the rules of .dependency-cruiser.cjs', async () => {
    const { violations, modules } = await cruise(projectFolder);
    const faults = violations.map(({ rule, from, to }) => `${rule}: ${from} → ${to}`);
    expect(faults, faults.join('\n')).to.deep.equal([]);
    // Without the compiler API of TypeScript 6, the tool would find no modules, report no violations and exit with 0.
    expect(modules.length).to.be.above(MIN_MODULES);
    expect(unusedGrants(modules), 'a row of the table allows an import that its folder does not need').to.deep.equal([]);
  });

  describe('in a project of planted violations', () => {
    let folder: string;
    let violations: readonly Violation[];

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'svc-layering-'));
      await plant(folder);
      ({ violations } = await cruise(folder));
    });

    after(() => rm(folder, { recursive: true }));

    for (const [rule, path, text] of PLANTS) {
      it(`${rule} finds ${text} in ${path}`, () => {
        expect(violations.filter(({ from }) => from === path).map((violation) => violation.rule)).to.include(rule);
      });
    }

    it('finds nothing else', () => {
      const planted = new Set([...PLANTS.map(([, path]) => path), 'core/kit/c.ts']);
      expect(violations.filter(({ from }) => !planted.has(from))).to.deep.equal([]);
    });
  });
});

async function plant(folder: string): Promise<void> {
  for (const name of ['package.json', 'tsconfig.json', '.dependency-cruiser.cjs'])
    await cp(projectFolder + name, join(folder, name));
  await symlink(`${projectFolder}node_modules`, join(folder, 'node_modules'));
  const files = [...PLANTS.map(([, path, text]) => [path, text] as const), ...Object.entries(INNOCENT)];
  for (const name of SOURCE_FOLDERS) await mkdir(join(folder, name));
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Returns pairs of folders of which the first may import from the second but does not. */
function unusedGrants(modules: readonly Module[]): string[] {
  const used = new Set(modules.flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => edge(source, resolved))));
  return rules.forbidden.flatMap(({ name, to: { pathNot } }) => {
    const [, folder] = /^core-([a-z-]+)$/.exec(name) ?? [];
    const granted = /\(([a-z|-]+)\)/.exec(String(pathNot?.[0]))?.[1]?.split('|') ?? [];
    if (folder === undefined || granted[0] !== folder) return [];
    return granted.slice(1).flatMap((other) => (used.has(`${folder} → ${other}`) ? [] : [`${folder} → ${other}`]));
  });
}

function edge(from: string, to: string): string {
  return [from, to].map((path) => /^core\/([a-z-]+)\//.exec(path)?.[1]).join(' → ');
}

async function cruise(folder: string): Promise<{ violations: readonly Violation[]; modules: readonly Module[] }> {
  const tool = `${projectFolder}node_modules/dependency-cruiser/bin/dependency-cruiser.mjs`;
  const args = [tool, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...SOURCE_FOLDERS];
  // With this output type, the exit code says only whether the tool itself worked, not whether it found violations.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  const { summary, modules } = JSON.parse(stdout);
  return {
    violations: summary.violations.map((violation: { rule: { name: string }; from: string; to: string }) => ({
      ...violation,
      rule: violation.rule.name,
    })),
    modules,
  };
}
