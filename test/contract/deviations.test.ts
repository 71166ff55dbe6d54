import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { apiOf, type Deviation, DeviationScene, definitionOf, faultsOf } from '../support/deviation.ts';
import { makeFolders } from '../support/folders.ts';
import { serve } from '../support/loopback-server.ts';
import { TestNet } from '../support/test-net.ts';
import { use } from '../support/use.ts';

const FOLDER = new URL('./deviations/', import.meta.url);

async function readRows(): Promise<readonly Deviation[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
  const lists = await Promise.all(
    files.map(async (file): Promise<readonly Deviation[]> => (await import(new URL(file, FOLDER).href)).default),
  );
  return lists.flat();
}

const rows = await readRows();

describe('deviations of providers', function () {
  this.timeout(60_000);
  const net = new TestNet();
  const scenes = new Map<string, DeviationScene>();
  const upstream = use(this, () =>
    serve(async (request, response) => {
      const { method = '', url: target = '', headers } = request;
      const name = headers.host?.replace(/\.example$/, '') ?? '';
      const certificate = net.certificateAt(request.socket.remotePort);
      const seen = { method, host: headers.host ?? '', target, headers, body: await text(request), certificate };
      scenes.get(name)?.seen.push(seen);
      const { status = 200, headers: more, body = {} } = rows.find((row) => row.name === name)?.responds?.(seen) ?? {};
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    }),
  );
  const folders = use(this, () =>
    makeFolders(
      Object.fromEntries(
        rows.flatMap((row) => [
          [`${row.name}/provider.json`, JSON.stringify(definitionOf(row))],
          ...(row.plugin === undefined ? [] : [[`${row.name}/plugin.ts`, row.plugin] as const]),
        ]),
      ),
    ),
  );
  const app = use(this, () =>
    startApp({
      net,
      env: {
        SVC_OUTBOUND_ALLOW: '',
        SVC_PROVIDERS_DIR: folders.path,
        SVC_PLUGINS_DIR: folders.path,
        SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0',
      },
    }),
  );
  before(async () => {
    for (const { name, server } of rows) {
      await server?.listen();
      net.add(new URL(apiOf(name)).hostname, (server ?? upstream).url);
      scenes.set(name, new DeviationScene(app, name));
    }
  });

  after(async () => {
    for (const { server } of rows) await server?.[Symbol.asyncDispose]();
  });

  function sceneOf(name: string): DeviationScene {
    const scene = scenes.get(name);
    if (scene === undefined) throw new Error(`there is no scene of ${name}`);
    return scene;
  }

  it('are at least forty', () => expect(rows).to.have.length.of.at.least(40));
  it('have distinct names', () => expect(new Set(rows.map(({ name }) => name)).size).to.equal(rows.length));

  for (const { name, members, works, hostile } of rows) {
    describe(name, () => {
      it('is a valid definition', () => expect(faultsOf({ name, members })).to.equal(''));
      it('is supported', () => works(sceneOf(name)));
      it(hostile.title, async () => {
        if ('attack' in hostile) await hostile.attack(sceneOf(name));
        else expect(faultsOf({ name, members: { ...members, ...hostile.members } })).to.match(hostile.refusedFor);
      });
    });
  }
});
