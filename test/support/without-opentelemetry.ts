import { registerHooks } from 'node:module';

/**
 * A service that loads this module first finds no package of OpenTelemetry, as if none were installed, and prints what it asks
 * for. prom-client needs the API in any case, and is given it.
 */
registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('@opentelemetry/') || context.parentURL?.includes('/prom-client/')) return next(specifier, context);
    process.stderr.write(`asked for ${specifier}\n`);
    throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
