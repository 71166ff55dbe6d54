import { z } from 'zod';
import { integer } from './value-types.ts';

/**
 * The variables of OpenTelemetry ("OpenTelemetry Environment Variable Specification", "OTLP exporter") that decide whether and how
 * traces are made. They are checked only if traces are on, since a whole cluster may share them. The official packages read some
 * more, such as `OTEL_EXPORTER_OTLP_HEADERS`, whose values are secrets and therefore not kept here.
 */
export const traceSettings = {
  OTEL_SDK_DISABLED: text('OpenTelemetry: true turns traces off, whatever else is set.'),
  OTEL_TRACES_EXPORTER: text(
    'OpenTelemetry: otlp turns traces on, none turns them off; unset: they are on if an endpoint is set.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: text(
    'OpenTelemetry: base URL of the collector, to which /v1/traces is added; it turns traces on.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: text('OpenTelemetry: whole URL of the collector for traces; it turns traces on.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: text('OpenTelemetry: protocol of the collector, http/protobuf only.'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: text('OpenTelemetry: protocol of the collector for traces, http/protobuf only.'),
  OTEL_TRACES_SAMPLER: text('OpenTelemetry: which traces are recorded; unset: parentbased_always_on.'),
  OTEL_TRACES_SAMPLER_ARG: text(
    'OpenTelemetry: share of traces that the samplers with traceidratio record, from 0 to 1; unset: 1.',
  ),
  OTEL_BSP_SCHEDULE_DELAY: text('OpenTelemetry: milliseconds between two exports; unset: 5000.'),
  OTEL_BSP_EXPORT_TIMEOUT: text('OpenTelemetry: time limit of one export, in milliseconds; unset: 30000.'),
  OTEL_BSP_MAX_QUEUE_SIZE: text('OpenTelemetry: maximum number of spans that wait for export; unset: 2048.'),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: text('OpenTelemetry: maximum number of spans in one export; unset: 512.'),
} as const;

function text(description: string) {
  return z.string().optional().describe(description);
}

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const TRACES_ENDPOINT = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
/** The default of the specification. */
const DEFAULT_COLLECTOR = 'http://localhost:4318';
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;
const PARENT_BASED = 'parentbased_';

/** Variables that the exporter would read, but that have no effect on network connections which the service itself opens. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  CERTIFICATE: 'name further certificate authorities with NODE_EXTRA_CA_CERTS',
  CLIENT_CERTIFICATE: 'send traces to a collector that asks for no client certificate, and let it pass them on',
  CLIENT_KEY: 'send traces to a collector that asks for no client certificate, and let it pass them on',
};

type Values = Readonly<Record<string, unknown>>;

/** Settings of the exported traces. */
export interface TracesConfig {
  /** The URL to which spans are sent. It may contain a secret in its path or query. */
  readonly url: string;
  readonly sampler: {
    readonly root: (typeof SAMPLERS)[number];
    /** True if the caller decides for the traces that it has begun. */
    readonly isParentBased: boolean;
    readonly ratio: number;
  };
  readonly batch: {
    readonly scheduledDelayMillis?: number | undefined;
    readonly exportTimeoutMillis?: number | undefined;
    readonly maxQueueSize?: number | undefined;
    readonly maxExportBatchSize?: number | undefined;
  };
}

/** Returns the settings of traces; undefined while they are off. The values must have no faults (`traceFaults`). */
export function tracesOf(values: Values): TracesConfig | undefined {
  return areOn(values) ? new TraceVariables(values).read() : undefined;
}

/** Returns what prevents traces from being exported as the variables say; nothing while they are off. */
export function traceFaults(values: Values): readonly string[] {
  const disabled = word(values, 'OTEL_SDK_DISABLED');
  if (disabled !== undefined && !/^(?:true|false)$/i.test(disabled)) return ['OTEL_SDK_DISABLED must be true or false'];
  const exporter = word(values, 'OTEL_TRACES_EXPORTER');
  if (disabled?.toLowerCase() !== 'true' && exporter !== undefined && !/^(?:otlp|none)$/.test(exporter))
    return ['OTEL_TRACES_EXPORTER must be otlp or none: a collector can pass traces on to other systems'];
  if (!areOn(values)) return [];
  const variables = new TraceVariables(values);
  variables.read();
  return variables.faults;
}

function areOn(values: Values): boolean {
  if (word(values, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return false;
  const exporter = word(values, 'OTEL_TRACES_EXPORTER');
  if (exporter !== undefined) return exporter === 'otlp';
  return word(values, ENDPOINT) !== undefined || word(values, TRACES_ENDPOINT) !== undefined;
}

function word(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads the variables one by one and collects their faults, which never repeat a value. */
class TraceVariables {
  readonly faults: string[] = [];
  readonly #values: Values;

  constructor(values: Values) {
    this.#values = values;
  }

  read(): TracesConfig {
    this.#checkProtocol();
    for (const [end, instead] of Object.entries(WITHOUT_EFFECT))
      for (const name of [`OTEL_EXPORTER_OTLP_${end}`, `OTEL_EXPORTER_OTLP_TRACES_${end}`])
        if (this.#has(name)) this.faults.push(`${name} is not supported; ${instead}`);
    return {
      url: this.#url(),
      sampler: this.#sampler(),
      batch: {
        scheduledDelayMillis: this.#number('OTEL_BSP_SCHEDULE_DELAY', 0),
        exportTimeoutMillis: this.#number('OTEL_BSP_EXPORT_TIMEOUT', 1),
        maxQueueSize: this.#number('OTEL_BSP_MAX_QUEUE_SIZE', 1),
        maxExportBatchSize: this.#number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 1),
      },
    };
  }

  #has(name: string): boolean {
    return word(this.#values, name) !== undefined;
  }

  #checkProtocol(): void {
    const names = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];
    // The one for traces takes precedence over the common one, which may be meant for other signals.
    const name = names.find((one) => this.#has(one));
    if (name !== undefined && word(this.#values, name) !== 'http/protobuf')
      this.faults.push(`${name} must be http/protobuf, which collectors accept at port 4318; correct the endpoint, too`);
  }

  #url(): string {
    const name = this.#has(TRACES_ENDPOINT) ? TRACES_ENDPOINT : ENDPOINT;
    const url = URL.parse(word(this.#values, name) ?? DEFAULT_COLLECTOR);
    if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
      this.faults.push(`${name} must be an http or https URL without user; credentials belong into OTEL_EXPORTER_OTLP_HEADERS`);
      return '';
    }
    if (name === ENDPOINT) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
    return url.href;
  }

  #sampler(): TracesConfig['sampler'] {
    const name = word(this.#values, 'OTEL_TRACES_SAMPLER') ?? `${PARENT_BASED}always_on`;
    const isParentBased = name.startsWith(PARENT_BASED);
    const root = SAMPLERS.find((one) => one === (isParentBased ? name.slice(PARENT_BASED.length) : name));
    if (root === undefined)
      this.faults.push(`OTEL_TRACES_SAMPLER must be ${SAMPLERS.join(', ')}, or one of them with ${PARENT_BASED} before it`);
    const share = word(this.#values, 'OTEL_TRACES_SAMPLER_ARG') ?? '1';
    const ratio = root === 'traceidratio' ? Number(share) : 1;
    if (!(ratio >= 0 && ratio <= 1) || share.trim() === '')
      this.faults.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
    return { root: root ?? 'always_off', isParentBased, ratio };
  }

  #number(name: string, min: number): number | undefined {
    const value = word(this.#values, name);
    if (value === undefined) return undefined;
    const { success, data } = integer(min, 999_999_999).safeParse(value);
    if (!success) this.faults.push(`${name} must be a whole number from ${min} on`);
    return data;
  }
}
