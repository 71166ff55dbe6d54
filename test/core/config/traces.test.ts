import { expect } from 'chai';
import { ConfigError, readConfig } from '../../../core/config/read.ts';
import { type TracesConfig, tracesOf } from '../../../core/config/traces.ts';

type Env = Readonly<Record<string, string>>;

const URL_ONLY = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const DEFAULT_URL = 'http://localhost:4318/v1/traces';

const read = (env: Env): TracesConfig | undefined => tracesOf(readConfig(env).config);

function faultsOf(env: Env): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
}

describe('traces', () => {
  const ON: readonly (readonly [env: Env, url: string])[] = [
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, DEFAULT_URL],
    [URL_ONLY, 'http://collector:4318/v1/traces'],
    [{ ...URL_ONLY, OTEL_SDK_DISABLED: 'false' }, 'http://collector:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector/base/' }, 'https://collector/base/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector/base?key=x' }, 'https://collector/base/v1/traces?key=x'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://[::1]:4318/as/it/is' }, 'http://[::1]:4318/as/it/is'],
    [{ ...URL_ONLY, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces/' }, 'http://traces/'],
    [
      { ...URL_ONLY, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' },
      `${URL_ONLY.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
    ],
  ];
  for (const [env, url] of ON) {
    it(`are on, and go to ${url}, with ${JSON.stringify(env)}`, () => {
      expect(read(env)?.url).to.equal(url);
    });
  }

  const OFF: readonly Env[] = [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_TRACES_EXPORTER: 'none' },
    { ...URL_ONLY, OTEL_TRACES_EXPORTER: 'none' },
    { ...URL_ONLY, OTEL_SDK_DISABLED: 'TRUE' },
    { OTEL_SDK_DISABLED: 'true', OTEL_TRACES_EXPORTER: 'zipkin' },
    // What a cluster sets for other programs has no say while traces are off.
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'xray', OTEL_EXPORTER_OTLP_CERTIFICATE: '/ca.pem' },
    { ...URL_ONLY, OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  ];
  for (const env of OFF) {
    it(`are off with ${JSON.stringify(env)}`, () => {
      expect(read(env)).to.equal(undefined);
    });
  }

  const FAULTS: readonly (readonly [env: Env, fault: RegExp])[] = [
    [{ OTEL_SDK_DISABLED: 'yes' }, /^OTEL_SDK_DISABLED must be true or false$/],
    [{ OTEL_TRACES_EXPORTER: 'otlp,console' }, /^OTEL_TRACES_EXPORTER must be otlp or none/],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /^OTEL_EXPORTER_OTLP_PROTOCOL must be http\/protobuf.* 4318/],
    [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' }, /^OTEL_EXPORTER_OTLP_TRACES_PROTOCOL must be http\/protobuf/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL/],
    [
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://u:p@collector/' },
      /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be .* without user/,
    ],
    [{ OTEL_TRACES_SAMPLER: 'xray' }, /^OTEL_TRACES_SAMPLER must be always_on, always_off, traceidratio/],
    [
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
      /^OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1$/,
    ],
    [{ OTEL_BSP_MAX_QUEUE_SIZE: '0' }, /^OTEL_BSP_MAX_QUEUE_SIZE must be a whole number from 1 on$/],
    [{ OTEL_BSP_SCHEDULE_DELAY: '1s' }, /^OTEL_BSP_SCHEDULE_DELAY must be a whole number from 0 on$/],
    [{ OTEL_EXPORTER_OTLP_CERTIFICATE: '/ca.pem' }, /^OTEL_EXPORTER_OTLP_CERTIFICATE is not supported; .*NODE_EXTRA_CA_CERTS/],
    [{ OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: '/key.pem' }, /^OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY is not supported; /],
  ];
  for (const [env, fault] of FAULTS) {
    it(`stop the start with ${JSON.stringify(env)}`, () => {
      const faults = faultsOf({ ...URL_ONLY, ...env });
      expect(faults).to.have.length(1);
      expect(faults[0]).to.match(fault);
    });
  }

  it('are recorded as the variables say', () => {
    const env = { ...URL_ONLY, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
    expect(read({ ...env, OTEL_BSP_MAX_QUEUE_SIZE: '99' })).to.deep.include({
      sampler: { root: 'traceidratio', isParentBased: true, ratio: 0.25 },
      batch: { scheduledDelayMillis: undefined, exportTimeoutMillis: undefined, maxQueueSize: 99, maxExportBatchSize: undefined },
    });
    expect(read(URL_ONLY)?.sampler).to.deep.equal({ root: 'always_on', isParentBased: true, ratio: 1 });
    expect(read({ ...URL_ONLY, OTEL_TRACES_SAMPLER: 'always_off' })?.sampler).to.include({
      root: 'always_off',
      isParentBased: false,
    });
  });

  it('keep no header of the exporter in the configuration', () => {
    const { config } = readConfig({ ...URL_ONLY, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=never-to-be-kept' });
    expect(JSON.stringify(config)).not.to.contain('never-to-be-kept');
  });
});
