import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { expect } from 'chai';
import ts from 'typescript';
import { openScripts } from '../support/script-host.ts';
import { parseSource, projectFolder } from '../support/source-files.ts';

const TYPES = `${projectFolder}scripts-runtime/script.d.ts`;
const GLOBALS = `${projectFolder}scripts-runtime/sandbox-globals.d.ts`;

/** A script that uses every property that the types promise. */
const SCRIPT = `
import type { Json, ProxyResponse, Svc, WebhookEvent } from './script.d.ts';
export const webhookSubscriptions: readonly string[] = ['BOOKING_CREATED'];
export async function onWebhook(svc: Svc, event: WebhookEvent): Promise<Json> {
  const answer: ProxyResponse = await svc.post({ endpoint: '/hooks', params: { page: 1 }, data: { type: event.type } });
  svc.log('posted', { status: answer.status });
  svc.console.warn(1, event.verified); console.debug('a'); console.error(new Error('b'));
  await svc.updateMetadata({ ...(await svc.getMetadata()), seen: true });
  const { webhook_url } = await svc.getIntegration();
  const url = new URL('/x', webhook_url);
  url.searchParams.set('id', crypto.randomUUID());
  const bytes = new TextEncoder().encode(atob(btoa('a')));
  clearTimeout(setTimeout((text: string) => svc.log(text), 1, 'a'));
  try { await svc.proxy({ method: 'OPTIONS', endpoint: '/missing', retries: 0 }); }
  catch (error) {
    if (!(error instanceof svc.ScriptError)) throw error;
    svc.log(error.message, { status: error.status, data: error.response?.data });
  }
  const hashes = [crypto.sha256(bytes), crypto.hmacSha256('k', bytes, 'base64'), new TextDecoder().decode(bytes)];
  return [svc.connectionId, svc.providerConfigKey, url.searchParams.size, ...hashes];
}
export default async function (svc: Svc): Promise<void> {
  throw new svc.ScriptError('no', { status: 400, code: 'refused' });
}`;

describe('script.d.ts', () => {
  it('suffices to type-check a script, and every promised member exists', async () => {
    expect(faultsOf(SCRIPT)).to.deep.equal([]);
    const requests: unknown[] = [];
    await using scripts = openScripts();
    const run = {
      args: [{ type: 'BOOKING_CREATED', payload: {}, headers: {}, verified: true }],
      hostFunctions: {
        proxy: async ([request]: readonly unknown[]) => {
          requests.push(request);
          return { status: requests.length === 1 ? 201 : 404, headers: {}, data: { at: requests.length } };
        },
        getMetadata: async () => ({ a: 1 }),
        updateMetadata: async ([metadata]: readonly unknown[]) => metadata,
        getIntegration: async () => ({ webhook_url: 'https://svc.example/webhook', webhook_secret: null }),
      },
      limits: { timeoutMs: 15_000 },
    };
    const source = stripTypeScriptTypes(SCRIPT);
    const outcome = await scripts.run(source, { ...run, entry: 'onWebhook' });
    expect(outcome.error).to.equal(undefined);
    expect((outcome.result as unknown[]).slice(0, 3)).to.deep.equal(['connection-1', 'key-1', 1]);
    expect(requests).to.deep.equal([
      { endpoint: '/hooks', params: { page: 1 }, data: { type: 'BOOKING_CREATED' }, method: 'POST' },
      { method: 'OPTIONS', endpoint: '/missing', retries: 0 },
    ]);
    expect(outcome.log.at(-1)).to.deep.include({
      message: 'the provider responded with 404',
      facts: { status: 404, data: { at: 2 } },
    });

    expect((await scripts.run(source, { ...run, entry: 'webhookSubscriptions' })).result).to.deep.equal(['BOOKING_CREATED']);
    const refusal = await scripts.run(source, run);
    expect(refusal.error).to.deep.include({ name: 'ScriptError', message: 'no', status: 400, code: 'refused' });
    expect(refusal.error?.stack).to.match(/^default \(script\.js:\d+:\d+\)/);
  });

  it('refuses members and globals that do not exist', () => {
    const wrong = [
      'svc.getCredentials()',
      'process.exit()',
      "fetch('https://a.example')",
      'svc.setMetadata(() => 1)',
      "require('fs')",
    ];
    const faults = faultsOf(`import type { Svc } from './script.d.ts';\nexport default (svc: Svc) => [\n${wrong.join(',\n')}];`);
    expect(faults).to.have.length(wrong.length);
  });

  it('declares exactly the members that `svc` has', async () => {
    await using scripts = openScripts();
    const { result } = await scripts.run('export default (svc) => Object.keys(svc);', { limits: { timeoutMs: 15_000 } });
    const declared = parseSource(TYPES, readFileSync(TYPES, 'utf8')).tree.statements.find(
      (statement): statement is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(statement) && statement.name.text === 'Svc',
    );
    expect(result).to.have.members(declared?.members.map(({ name }) => name?.getText()) ?? []);
  });
});

/** Returns what the compiler reports for a script in the folder of the types, without the types of Node or the browser. */
function faultsOf(script: string): readonly string[] {
  const path = TYPES.replace('script.d.ts', 'user-script.ts');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2024.d.ts'],
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === path
      ? ts.createSourceFile(name, script, { languageVersion: ts.ScriptTarget.ES2024, impliedNodeFormat: ts.ModuleKind.ESNext })
      : getSourceFile(name, ...rest);
  const program = ts.createProgram([path, GLOBALS], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
