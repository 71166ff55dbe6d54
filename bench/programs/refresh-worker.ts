import { readConfig } from '../../core/config/read.ts';
import { refreshWorker } from '../../core/credentials/refresh-worker.ts';
import { KeyRing } from '../../core/kit/key-ring.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { openServices } from '../../core/services.ts';

/**
 * Runs only the refresh worker of an instance, with settings from environment variables. It listens on no port, so it prints 0 as
 * its port when it has started.
 */
const [atOnce = '50'] = process.argv.slice(2);
const { config } = readConfig();
const { DATABASE_URL: url = '', SVC_ENCRYPTION_KEYS: keys = '' } = config;
const services = await openServices(config, { url, keys: KeyRing.parse(keys), log: createLogger({ level: 'warn' }) });
const worker = refreshWorker(services, { atOnce: Number(atOnce) });
worker.start();
console.log(0);
process.once('SIGTERM', async () => {
  await worker.stop();
  await services[Symbol.asyncDispose]();
  process.exit(0);
});
