import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../../../../core/db/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../../../../core/kit/logger.ts';

/**
 * This program stands in for the service as the owner of the embedded database that its argument describes. It prints where the
 * database is or why opening it was refused, and stops at SIGTERM.
 */
const choice: Omit<EmbeddedPostgresOptions, 'log'> = JSON.parse(process.argv[2] ?? '');
try {
  const postgres = await startEmbeddedPostgres({ ...choice, log: createLogger({ level: 'silent' }) });
  process.once('SIGTERM', () => postgres[Symbol.asyncDispose]());
  process.stdout.write(`${JSON.stringify({ url: postgres.url, dataDir: postgres.dataDir })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refused: error instanceof Error ? error.message : String(error) })}\n`);
  process.exitCode = 1;
}
