import packageFile from '../../../package.json' with { type: 'json' };
import type { Config } from '../../config/schema.ts';
import { tracesOf } from '../../config/traces.ts';
import type { Logger } from '../../kit/logger.ts';
import type { Tracer } from '../../kit/tracing.ts';

/** Loads what traces need. @returns undefined if traces are off @throws Error see `openTracer` */
export async function tracePackages(config: Config) {
  if (tracesOf(config) === undefined) return undefined;
  const { loadPackages } = await import('./packages.ts');
  return loadPackages(packageFile.peerDependencies);
}

/**
 * Opens what creates and exports spans; undefined if traces are off, and then no package of OpenTelemetry is loaded for them.
 *
 * @throws Error that names the command which installs the packages, if they are missing
 */
export async function openTracer(config: Config, log: Logger): Promise<(Tracer & AsyncDisposable) | undefined> {
  const traces = tracesOf(config);
  const packages = await tracePackages(config);
  if (traces === undefined || packages === undefined) return undefined;
  const { OtlpTracer } = await import('./otlp-tracer.ts');
  return new OtlpTracer(packages, { config, traces, version: packageFile.version, log });
}
