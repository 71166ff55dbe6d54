import { publicRoutes } from '../../../core/api/routes.ts';
import { readConfig } from '../../../core/config/read.ts';
import type { RefreshTimes } from '../../../core/credentials/refresh-times.ts';
import { KeyRing } from '../../../core/kit/key-ring.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { createApp } from '../../../core/server/app.ts';
import type { Route } from '../../../core/server/route.ts';
import { listen } from '../../../core/server/server.ts';
import { openServices, type Services } from '../../../core/services.ts';
import { bootstrap } from '../../../core/tenants/environments/bootstrap.ts';

/**
 * Runs an instance with refresh times that the test chooses. It prints `ready` once it listens, and runs until it is stopped or
 * killed.
 */
const { env, refreshTimes }: { env: Record<string, string>; refreshTimes: RefreshTimes } = JSON.parse(process.argv[2] ?? '');
const { config } = readConfig(env);
const log = createLogger({ level: 'silent' });
const keys = KeyRing.parse(env['SVC_ENCRYPTION_KEYS'] ?? '');
const services = await openServices(config, { url: config.DATABASE_URL ?? '', keys, log, refreshTimes });
await bootstrap(services, { apiKey: env['SVC_BOOTSTRAP_API_KEY'], accountKey: undefined }, async () => undefined);
const served: readonly Route<Services>[] = publicRoutes;
await listen({ app: createApp(services, served), port: config.PORT, host: '127.0.0.1', log });
process.stdout.write('ready\n');
