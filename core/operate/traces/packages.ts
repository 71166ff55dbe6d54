import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode } from '../../kit/error-code.ts';

const PARENT_FOLDER = dirname(fileURLToPath(new URL('../../..', import.meta.url)));

export type Packages = Awaited<ReturnType<typeof importAll>>;

/** Loads the official packages of OpenTelemetry, which are optional. @throws Error that says how to install them */
export async function loadPackages(versions: Readonly<Record<string, string>>): Promise<Packages> {
  try {
    return await importAll();
  } catch (cause) {
    if (errorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const names = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
    // Node also finds packages beside the folder of the service, where an update of the service leaves them alone.
    const command = `npm install --prefix ${PARENT_FOLDER} ${names.join(' ')}`;
    throw new Error(
      `traces are on (OTEL_ variables are set), but their packages are not installed; install them:\n  ${command}\n` +
        'or set OTEL_SDK_DISABLED=true',
      { cause },
    );
  }
}

async function importAll() {
  const [api, core, exporter, resources, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ]);
  return { api, core, exporter, resources, sdk };
}
