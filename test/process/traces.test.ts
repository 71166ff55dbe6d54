import { expect } from 'chai';
import packageFile from '../../package.json' with { type: 'json' };
import { canary } from '../support/canaries.ts';
import { mustBe } from '../support/connect.ts';
import { freePort } from '../support/free-port.ts';
import { client } from '../support/http-client.ts';
import { Installation } from '../support/installation.ts';
import { LOOPBACK_ONLY } from '../support/loopback-only.ts';
import { OtlpCollector } from '../support/otlp-collector.ts';
import { PROGRAM, ServiceProcess, startService } from '../support/processes.ts';
import { refusedStart } from '../support/refused-start.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const COLLECTOR = 'http://127.0.0.1:4318';
// Only the URL of the module is needed: loaded here, it would hide the packages from the tests.
const HIDING = ['--import', new URL('../support/without-opentelemetry.ts', import.meta.url).href];
const COMMAND = [process.execPath, ...LOOPBACK_ONLY, ...HIDING, ...PROGRAM.slice(1)];
const ASKED = 'asked for @opentelemetry/';

describe('a process with traces', function () {
  const installation = use(this, () => Installation.open());
  const collector = use(this, () => OtlpCollector.start());

  it('exports the last spans when it is stopped, with the headers and names of the variables', async () => {
    const token = canary('collector token');
    const service = await installation.startProcess({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(`Bearer ${token}`)}`,
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_SERVICE_NAME: 'gateway',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    mustBe(200, await service.api.get('/connections'));
    const { code } = await service.process.stop();
    expect(code).to.equal(0);
    const { resource } = await collector.span('the call', ({ name }) => name === 'GET /connections');
    expect(resource).to.include({ 'service.name': 'gateway', 'deployment.environment.name': 'test' });
    expect(collector.requests.map(({ url }) => url)).to.include('/v1/traces');
    for (const { headers } of collector.requests)
      expect(headers).to.include({ authorization: `Bearer ${token}`, 'content-encoding': 'gzip' });
  });

  it('does not log its headers, even if the collector repeats them', async () => {
    collector.behaviour = 401;
    const before = collector.requests.length;
    const service = await installation.startProcess({
      ...collector.env,
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: `x-api-key=${encodeURIComponent(canary('collector key'))}`,
    });
    mustBe(200, await service.api.get('/connections'));
    await service.process.logged('traces could not be exported');
    expect(collector.requests.length).to.be.above(before);
    // The disposal of the installation searches the output.
    await service.process.stop();
  });
});

describe('a process without the packages for traces', function () {
  const installation = use(this, () => Installation.open());
  const env = () => ({ ...installation.env, SVC_ROLE: 'web' });

  it('does not start with traces, and names the command that installs them', async () => {
    await using service = new ServiceProcess({
      env: { ...env(), OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR },
      port: await freePort(),
      command: COMMAND,
    });
    expect((await service.exit).code).to.equal(1);
    const { stderr } = service.output;
    expect(stderr).to.contain(ASKED).and.contain('svc: traces are on').and.not.contain('    at ');
    const [command = ''] = /npm install --prefix .*/.exec(stderr) ?? [];
    const packages = Object.entries(packageFile.peerDependencies).map(([name, version]) => `${name}@${version}`);
    expect(command.split(' ').slice(4)).to.deep.equal(packages);
    expect(Object.keys(packageFile.peerDependenciesMeta)).to.deep.equal(Object.keys(packageFile.peerDependencies));
  });

  it('asks for none of them while traces are off', async () => {
    await using service = await startService({ env: env(), command: COMMAND });
    const api = client(service.url, installation.env.SVC_BOOTSTRAP_API_KEY);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    mustBe(200, await api.call('GET', '/connections', { headers: { traceparent } }));
    mustBe(200, await api.call('GET', '/metrics'));
    await until('it is ready', () => service.output.stdout.includes('"ready"'));
    expect(service.output.stderr).not.to.contain(ASKED);
  });
});

describe('a start with traces', () => {
  const REFUSED: Readonly<Record<string, readonly [env: Readonly<Record<string, string>>, says: string]>> = {
    'the protocol grpc': [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf'],
    'another exporter': [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER must be otlp or none'],
  };
  for (const [what, [env, says]] of Object.entries(REFUSED)) {
    it(`is refused with ${what}`, async () => {
      expect(await refusedStart({ OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, ...env })).to.contain(says);
    });
  }
});
