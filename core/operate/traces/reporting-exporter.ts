import type { ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { errorCode } from '../../kit/error-code.ts';
import type { Logger } from '../../kit/logger.ts';
import type { Packages } from './packages.ts';

const QUIET_MS = 60_000;

interface ReportingOptions {
  readonly exporter: SpanExporter;
  /** Host and port. */
  readonly collector: string;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Logs that spans could not be exported, at most once a minute. To the packages every export is a success: they pass failures to a
 * handler that the whole process shares, with texts of the collector, which may repeat the headers that it got.
 */
export class ReportingExporter implements SpanExporter {
  readonly #codes: Packages['core']['ExportResultCode'];
  readonly #options: ReportingOptions;
  #lost = 0;
  #quietUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ ExportResultCode: codes }: Packages['core'], options: ReportingOptions) {
    this.#codes = codes;
    this.#options = options;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#options.exporter.export(spans, ({ code, error }) => {
      if (code !== this.#codes.SUCCESS) this.#report(spans.length, error);
      done({ code: this.#codes.SUCCESS });
    });
  }

  async forceFlush(): Promise<void> {
    await this.#options.exporter.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.#options.exporter.shutdown();
  }

  #report(spans: number, error: unknown): void {
    this.#lost += spans;
    const now = performance.now();
    if (now < this.#quietUntilMs) return;
    const { collector, log } = this.#options;
    log.warn('traces could not be exported', { collector, lostSpans: this.#lost, reason: reasonOf(error) });
    this.#lost = 0;
    this.#quietUntilMs = now + QUIET_MS;
  }
}

/** Returns the status of the collector's response, or the code of the fault. Messages are left out: they hold the response. */
function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code === undefined) return 'no usable response';
  return /^\d{3}$/.test(code) ? `status ${code}` : code;
}
